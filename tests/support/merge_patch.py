"""An implementation of JSON Merge Patch as a client would write it. It shares no code with the
product, so tests can check the product's patches with it."""

from __future__ import annotations

from typing import Any


def merged(target: Any, patch: Any) -> Any:
    """Return the result of applying a patch as specified in RFC 7396, section 2."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result
