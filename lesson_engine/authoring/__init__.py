"""The pages of authors: upload, preview, compare, publish."""
