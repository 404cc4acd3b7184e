"""How a game's defects are told: as replacements in the sources that plant them.

`DEFECTS` is by the name of the test that each fails, `test_defect_<name>…` with _ for blanks: what it is, and the texts
in the sources (each is there exactly once) with what to write instead.
"""

from typing import TypeAlias

Defects: TypeAlias = dict[str, tuple[str, list[tuple[str, str]]]]
