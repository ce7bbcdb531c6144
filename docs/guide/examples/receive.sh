python3 receive.py &
