"""`python -m tessella` runs the command line."""

import sys

from tessella.cli import main

if __name__ == "__main__":
    sys.exit(main())
