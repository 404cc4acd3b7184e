"""The format in which a game's module lists its defects. To plant a defect, `mutants.py` replaces
texts in the Solidity sources.

`DEFECTS` maps the name of each defect to a description and to the replacements. A name is a number,
followed by a letter if several related defects share the number. If a defect is planted, one of the
game's tests in contracts/test/ must fail. Each text to replace must occur exactly once in the
sources.
"""

from typing import TypeAlias

Defects: TypeAlias = dict[str, tuple[str, list[tuple[str, str]]]]
