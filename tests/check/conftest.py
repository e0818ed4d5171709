"""The helpers of these tests are found whatever else was imported before."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
