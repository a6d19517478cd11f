"""The gateway: ``python -m convo_gateway``."""

import sys

from convo_gateway.server import serve

if __name__ == "__main__":
    sys.exit(serve())
