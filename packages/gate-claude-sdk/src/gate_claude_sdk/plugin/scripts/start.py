"""What hooks start to record an event: `spool` as a module, so that its compiled form is used. A script never is."""

import sys

if __name__ == "__main__":
    sys.path.insert(0, __file__.rpartition("/")[0])  # -I leaves the script's own folder out
    import spool  # type: ignore[import-not-found]  # found by the line above, in this process alone

    spool.run(sys.argv[1:])
