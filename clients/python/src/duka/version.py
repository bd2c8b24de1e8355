# Made by generate.mjs from pyproject.toml.
VERSION = "0.1.0"
