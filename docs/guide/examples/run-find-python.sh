.venv/bin/python find.py
