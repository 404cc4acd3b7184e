"""`chainboard new-game`: generates all files of a new game in this checkout, with tests that fail
until the game works."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from pathlib import Path

from chainboard.errors import UserError

TOP = Path(__file__).parents[2]
SKELETON = "docs/games/skeleton"
REGISTRY = "indexer/games/__init__.py"
NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAX_NAME = 40
"""The maximum length of a game's slug. The page has to display the slug."""
FILES = {
    "contract.sol": "contracts/src/games/@MODULE@/@CONTRACT@.sol",
    "reducer.py": "indexer/games/@MODULE@.py",
    "renderer.js": "frontend-static/games/@SLUG@/renderer.js",
    "en.json": "frontend-static/games/@SLUG@/messages/en.json",
    "fr.json": "frontend-static/games/@SLUG@/messages/fr.json",
    "zh.json": "frontend-static/games/@SLUG@/messages/zh.json",
    "rules.js": "frontend-static/games/@SLUG@/rules.js",
    "rules.json": "frontend-static/games/@SLUG@/rules.json",
    "style.css": "frontend-static/games/@SLUG@/style.css",
    "test_reducer.py": "tests/indexer/games/test_@MODULE@_reducer.py",
    "test_rules.py": "tests/contracts/@MODULE@/test_rules.py",
    "test_stateful.py": "tests/contracts/@MODULE@/test_stateful.py",
    "renderer.test.mjs": "tests/frontend/unit/games/@SLUG@.test.mjs",
}
"""The template files, each with the path of the file that is generated from it."""
_DECLARED = re.compile(r"^(?:abstract )?(?:contract|interface|library) (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GameNames:
    """A game's name in several spellings, such as `connect-four`, `connect_four`, `ConnectFour` and
    `Connect Four`."""

    slug: str

    def fill_in(self, text: str) -> str:
        words = self.slug.split("-")
        title = " ".join(word.capitalize() for word in words)
        values = {
            "SLUG": self.slug,
            "MODULE": self.slug.replace("-", "_"),
            "CONTRACT": title.replace(" ", ""),
            "TITLE": title,
        }
        return re.sub("@([A-Z]+)@", lambda found: values[found[1]], text)


def new_game(name: str, top: Path = TOP) -> list[str]:
    """Generate a new game's files. Return the paths of the files that were written, with the
    registry of games last. Raises UserError if the name can't be used."""
    if not (top / SKELETON).is_dir() or not (top / REGISTRY).is_file():
        raise UserError("run this command in a checkout of Chainboard: clone its repository first")
    names = GameNames(name)
    _require_free(names, top)
    made = {
        names.fill_in(path): names.fill_in((top / SKELETON / f"{part}.tmpl").read_text("utf-8"))
        for part, path in FILES.items()
    }
    registry = top / REGISTRY
    line = names.fill_in('    "@MODULE@",\n)')
    made[REGISTRY] = re.sub(r"^\)", line, registry.read_text("utf-8"), count=1, flags=re.MULTILINE)
    for path, text in made.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text, "utf-8")
    return list(made)


def _require_free(names: GameNames, top: Path) -> None:
    slug = names.slug
    if not NAME.fullmatch(slug) or len(slug) > MAX_NAME:
        raise UserError(
            f"{slug!r} can't be used as a game's name: use at most {MAX_NAME} characters: lower-case letters and "
            "digits, with a letter first and single hyphens between words, for example connect-four"
        )
    module, contract = names.fill_in("@MODULE@"), names.fill_in("@CONTRACT@")
    if keyword.iskeyword(module):
        raise UserError(f"{slug!r} can't be used as a game's name: it is a Python keyword")
    declared = {
        name for path in (top / "contracts").rglob("*.sol") for name in _DECLARED.findall(path.read_text("utf-8"))
    }
    if contract in declared:
        raise UserError(f"{slug!r} can't be used as a game's name: a contract named {contract} already exists")
    paths = [*(names.fill_in(path) for path in FILES.values()), f"frontend-static/games/{slug}"]
    if taken := next((path for path in paths if (top / path).exists()), None):
        raise UserError(f"{slug!r} can't be used as a game's name: {taken} already exists")
