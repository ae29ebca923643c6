"""The entry point of vLLM's plugins. It runs in every process of every vLLM beside which weir is installed, so it
imports nothing of vLLM before it knows the version, and disturbs no server that has not asked for weir."""

from __future__ import annotations

import logging
import re
import sys

from weir.integrations._environment import is_set

__all__ = ["SUPPORTED_VERSIONS", "check_version", "is_asked_for", "load"]

SUPPORTED_VERSIONS = ("0.32", "0.33")


def check_version(version: str) -> None:
    """Raises RuntimeError: weir does not support this version of vLLM."""
    numbers = re.match(r"\d+\.\d+", version)
    if numbers is None or numbers[0] not in SUPPORTED_VERSIONS:
        raise RuntimeError(
            f"weir supports vLLM {' and '.join(SUPPORTED_VERSIONS)}; this is vLLM {version}. Install a supported vLLM "
            "or a newer weir, or choose another backend (--structured-outputs-config.backend)")


def load() -> None:
    """Registers weir with vLLM: the backend, and the parsers if the command line or WEIR_VLLM_PARSERS asks for them.

    With a vLLM that weir does not support, it raises RuntimeError if the command line or WEIR_VLLM_AUTO asks for weir;
    otherwise it logs why there is no backend `weir`.
    """
    try:
        import vllm

        check_version(vllm.__version__)
        from weir.integrations.vllm import register

        register()
        if is_set("WEIR_VLLM_PARSERS") or any("weir_" in argument for argument in sys.argv):
            import weir.integrations.vllm_parsers  # noqa: F401  (it registers itself; the import takes a second)
    except Exception as error:  # whatever this vLLM lacks
        if is_asked_for():
            raise RuntimeError(f"the backend weir cannot be used: {error}") from error
        logging.getLogger("vllm.weir").warning("there is no backend weir: %s", error)


def is_asked_for() -> bool:
    """Returns True if the process was started with weir as the backend."""
    return is_set("WEIR_VLLM_AUTO") or _names_weir(sys.argv)


def _names_weir(arguments: list[str]) -> bool:
    """Returns True if an option --structured-outputs-config, or a part of it (`.backend`), has weir in its value."""
    for option, following in zip(arguments, [*arguments[1:], ""]):
        name, equals, value = option.partition("=")
        if name.replace("_", "-").startswith("--structured-outputs-config"):
            if re.search(r"\bweir\b", value if equals else following):
                return True
    return False
