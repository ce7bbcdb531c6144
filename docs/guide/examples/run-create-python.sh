.venv/bin/python create.py
