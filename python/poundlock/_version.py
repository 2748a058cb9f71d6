"""The version of the installed package."""

from importlib import metadata

try:
    __version__ = metadata.version("poundlock")
except metadata.PackageNotFoundError:  # a checkout
    __version__ = "0"
