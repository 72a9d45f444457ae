"""One letter in, one verdict out."""
