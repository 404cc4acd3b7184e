"""The sentence constructions that prose in this repository must not contain. Each construction has
two examples: its pattern must match the first and must not match the second."""

from __future__ import annotations

import re
from typing import NamedTuple


class Construction(NamedTuple):
    """A forbidden sentence construction. `pattern` matches every sentence that contains the
    construction. `kinds` lists the kinds of passages in which the construction is forbidden. If
    `kinds` is empty, the construction is forbidden in all kinds."""

    name: str
    pattern: re.Pattern[str]
    matching_example: str
    allowed_example: str
    kinds: tuple[str, ...] = ()

    def is_in(self, kind: str, sentence: str) -> bool:
        return (not self.kinds or kind in self.kinds) and self.pattern.search(sentence) is not None


CODE = ("docstring", "comment", "tag")


def _construction(
    name: str, pattern: str, matching_example: str, allowed_example: str, kinds: tuple[str, ...] = ()
) -> Construction:
    return Construction(name, re.compile(pattern), matching_example, allowed_example, kinds)


CONSTRUCTIONS = [
    _construction(
        "begins with a question word",
        r"^(?:What|Who|How|Whether|Which|Where|Why)\b(?!.*\?$)",
        "Whether the client is there.",
        "True while the client is connected.",
        CODE,
    ),
    _construction(
        "has no subject",
        r"^(?:Of|As|By|Beside|From|With)\b(?! default)[^,]*$",
        "Of a match by its name.",
        "With no argument, the function returns all matches.",
        ("docstring", "comment"),
    ),
    _construction(
        "is told",
        r"\b(?:is|are|was|were|be|been|being) (?:told|said)\b",
        "The player is told why.",
        "The page shows the player why.",
    ),
    _construction(
        "is asked",
        r"\b(?:is|are|was|were|be|been|being) asked\b",
        "The node is asked again.",
        "The indexer asks the node again.",
    ),
    _construction(
        "told",
        r"\b(?:tells?|told|telling)\b(?! (?:you|me|us|them|him|her|[a-z]+ apart)\b)",
        "The gateway tells what happened.",
        "The gateway reports what happened. A button tells you why.",
    ),
    _construction(
        "says", r"\b(?:said|saying)\b", "The node said so.", "The node answered that the block is unknown.", CODE
    ),
    _construction(
        "who as a noun",
        r"(?:^|[.;:] )Who\b(?![^.]*\?)|\b(?:by|of|to|from|with|than|against|that|if|when) who\b",
        "It shows a button to who may join.",
        "It shows a button to players who may join.",
    ),
    _construction(
        "inverted condition",
        r"(?:^|[.;:,] )(?:Falls|Comes|Were (?:it|there|a|the)|Had (?:it|a|the|they)|Should (?:it|a|"
        r"the|they)|Does (?:it|a|the)|Is (?:it|there|a|the))\b(?![^.]*\?)",
        "Falls that land, all your armies are halved.",
        "If you lose the land, all your armies are halved. Is there a limit?",
    ),
    _construction(
        "such as a noun",
        r"\b(?:and|of|other|is|are|for|one) such\b|\bsuch (?:ones?|is|was)\b|\bas such\b",
        "One such is enough. It has two of such.",
        "There is no match 7. It reads states such as `open`.",
    ),
    _construction(
        "legal English",
        r"\b(?:thereof|therein|thereby|hereby|wherein|whereupon|whereof|herein|whence|thence|hence|lest|"
        r"albeit|hitherto|whomever)\b",
        "The block and the hash thereof.",
        "The block and its hash.",
    ),
    _construction(
        "what is more",
        r"\b[Ww]hat is (?:more|under way|on its way|there|left over|not)\b",
        "What is more, it asks again.",
        "It also asks again.",
    ),
    _construction(
        "translated word",
        r"\b(?:anew|to and fro|besides that|once more|so many|in whose midst|under way|on its way|"
        r"(?:goes|go|went) on (?:with|by|until|from|after|as)|nobody's|by and by|all the same|the like|"
        r"for nothing|makes? known|made known)\b",
        "The page is drawn anew.",
        "The page is redrawn.",
    ),
    _construction(
        "beside", r"\bbeside\b", "It runs beside the node.", "It runs next to the node. Besides, it is small.", CODE
    ),
    _construction(
        "so as a reference",
        r"\b(?:is|are|was|were) so\b(?=[.,;]|$)|\b(?:says?|do|does|did) so\b",
        "The contract does so.",
        "The contract rejects it. It is so slow that we cache it.",
    ),
    _construction(
        "one as a pronoun",
        r"(?:^|[.,;] |\b(?:that|what|as|if|when|where|how) )one (?:can|may|must|would|needs|could|should|"
        r"cannot|sees|has)\b|\b[Tt]he one (?:that|who)\b",
        "It is what one can read.",
        "You can read it. Only one player can win.",
    ),
    _construction(
        "as for because",
        r", as (?:it|they|there|nobody|nothing|no|this|these|those|he|she|its|their)\b",
        "It waits, as nobody answers.",
        "It waits because nobody answers. It prints a list, such as this.",
    ),
    _construction(
        "where for if",
        r"(?:^|[.;:,] )[Ww]here (?:nobody|nothing|none|no|there (?:is|are|was)|it (?:is|has|does|can))\b(?! ?[^.]*\?)",
        "It asks again where nobody answers. Where there is no node, it stops.",
        "It stops if there is no node. The folder where it lives.",
    ),
    _construction(
        "nor at the start",
        r"(?:^|[.;] )(?:Nor|Neither (?:is|does|has|can))\b",
        "Nor is the block.",
        "The block isn't stored either.",
    ),
    _construction(
        "would it",
        r"(?:^|[.;:,] )(?:else|otherwise) (?:would|could|might|does|is)\b",
        "The block is stored, else would it be lost.",
        "Without this, the block would be lost.",
    ),
]
