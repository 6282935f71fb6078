"""The product: joins rules, eye and devices, remembers the game and shows it."""

import os

# The eye multiplies many small matrices: a second thread costs more than it brings, and takes it from camera and page.
# Has to be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
