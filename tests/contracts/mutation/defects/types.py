"""The format of a game's defects: replacements in the sources that plant them.

`DEFECTS` maps the name of the test that each defect fails, `test_defect_<name>…` with _ for blanks,
to a description and to the replacements. Each text to replace occurs exactly once in the sources.
"""

from typing import TypeAlias

Defects: TypeAlias = dict[str, tuple[str, list[tuple[str, str]]]]
