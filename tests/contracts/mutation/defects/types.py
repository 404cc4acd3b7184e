"""The format of a game's defects. A defect is planted by replacing texts in the sources.

`DEFECTS` maps the name of each defect to a description and to the replacements. The defect fails
the test `test_defect_<name>…`, with underscores instead of spaces. Each text to replace occurs
exactly once in the sources.
"""

from typing import TypeAlias

Defects: TypeAlias = dict[str, tuple[str, list[tuple[str, str]]]]
