"""`python -m companion`: the command `companion`, as torchrun can start it."""

import sys

from companion.cli import main

sys.exit(main())
