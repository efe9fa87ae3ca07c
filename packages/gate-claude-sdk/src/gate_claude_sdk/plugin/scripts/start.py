"""What hooks start: the modules beside it, as modules, so that their compiled form is used. A script never is.

start.py [--config=FILE] [COMMAND ...]           record the event on stdin
start.py [--config=FILE] --serve COMMAND ...     record it, and have a server ready when something is to be decided
start.py [--config=FILE] --end COMMAND ...       record it, and let the server go
start.py --decide COMMAND ...                    decide about it, by the server or by COMMAND itself
"""

import sys

if __name__ == "__main__":
    sys.path.insert(0, __file__.rsplit("/", 2)[0])  # -I leaves the script's own folder out
    if sys.argv[1:2] == ["--decide"]:
        from scripts import ask  # type: ignore[import-not-found]  # found by the line above, in this process alone

        ask.decide(sys.argv[2:])
    else:
        from scripts import spool

        spool.run(sys.argv[1:])
