"""`python -m companion` is the command `companion`; `torchrun -m companion` needs it."""

import sys

from companion.cli import main

sys.exit(main())
