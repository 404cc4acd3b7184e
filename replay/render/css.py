"""Writes the page's styles into a drawing as SVG attributes, so that the drawing looks the same
outside the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import cssselect2
import tinycss2

from api.static import page
from replay.render.css_values import BadValue, Tokens, colour, length, resolve_variables, text_of

SVG = "http://www.w3.org/2000/svg"
FONT = "system-ui, sans-serif"
COLOUR_PROPERTIES = ("fill", "stroke")
LENGTH_PROPERTIES = ("stroke-width", "stroke-dasharray", "font-size", "opacity", "fill-opacity", "stroke-opacity")
KEYWORD_PROPERTIES = ("stroke-linecap", "stroke-linejoin", "shape-rendering", "paint-order")
TEXT_PROPERTIES = (*KEYWORD_PROPERTIES, "font-weight", "text-anchor", "dominant-baseline", "display")
SVG_PROPERTIES = (*COLOUR_PROPERTIES, *LENGTH_PROPERTIES, *TEXT_PROPERTIES)
"""The CSS properties that the page's drawings use and that also exist as SVG attributes."""
PAGE_ATTRIBUTES = ("class", "id", "style")
"""The attributes that have an effect only within the page."""
BASELINE_OFFSET = "0.35em"
"""The distance from the middle of a letter down to its baseline. It is used in place of
`dominant-baseline: central`, which some SVG readers don't support."""


class Declaration(NamedTuple):
    """A declaration in a CSS rule. If several declarations have the same importance and
    specificity, the one with the highest `order` applies."""

    important: bool
    specificity: tuple[int, int, int]
    order: int
    name: str
    value: Tokens


class StyleSheets:
    """The style sheets of the page and of one game, in a light or dark theme."""

    def __init__(self, slug: str, theme: str = "light") -> None:
        self._slug, self._theme = slug, theme
        self._matcher = cssselect2.Matcher()
        for order, (selector, declarations) in enumerate(_rules(page.style_sheets(slug))):
            self._matcher.add_selector(selector, (order, declarations))

    def inlined(self, svg: str, status: str = "playing") -> str:
        """Return an SVG drawing in which the page's styles have become attributes. `status` is the
        match's status."""
        document = self._embed_in_page(ElementTree.fromstring(svg), status)
        wrapper = cssselect2.ElementWrapper.from_html_root(document)
        custom: Mapping[str, Tokens] = {}
        for one in wrapper.iter_subtree():
            if one.local_name == "svg":
                self._inline(one, custom)
                one.etree_element.set("font-family", FONT)
                ElementTree.register_namespace("", SVG)
                return ElementTree.tostring(one.etree_element, encoding="unicode")
            custom = self._custom(self._declarations_of(one), custom)
        raise AssertionError("a drawing must be an svg")

    def attributes(self, tag: str, classes: str, paint: str = "", group_classes: str = "") -> dict[str, str]:
        """Return the SVG attributes that the style sheets give to an element with these classes.
        The element is in a group with the classes `group_classes`."""
        group = ElementTree.Element(f"{{{SVG}}}svg")
        inner = ElementTree.SubElement(group, f"{{{SVG}}}g", {"class": group_classes})
        ElementTree.SubElement(inner, f"{{{SVG}}}{tag}", {"class": classes, **({"fill": paint} if paint else {})})
        styled = ElementTree.fromstring(self.inlined(ElementTree.tostring(group, encoding="unicode")))
        return dict(styled[0][0].attrib)

    def _embed_in_page(self, svg: ElementTree.Element, status: str) -> ElementTree.Element:
        """Return an HTML document in which the drawing is at the same place as the board on the
        page, so that the page's selectors match it."""
        root = ElementTree.Element("html", {"data-theme": self._theme})
        body = ElementTree.SubElement(root, "body")
        match = ElementTree.SubElement(body, "main", {"data-game": self._slug, "data-status": status})
        ElementTree.SubElement(match, "div", {"class": "board", "id": "board"}).append(svg)
        return root

    def _declarations_of(self, one: cssselect2.ElementWrapper) -> list[Declaration]:
        found = [
            Declaration(each.important, specificity, order, each.name, each.value)
            for specificity, _, _, (order, declarations) in self._matcher.match(one)
            for each in declarations
        ]
        own = tinycss2.parse_declaration_list(one.etree_element.get("style", ""), skip_whitespace=True)
        found += [Declaration(True, (9, 9, 9), 0, each.name, each.value) for each in own if each.type == "declaration"]
        return sorted(found, key=lambda each: each[:3])

    def _custom(self, declared: list[Declaration], inherited: Mapping[str, Tokens]) -> Mapping[str, Tokens]:
        """Return the custom properties that an element declares or inherits. As CSS requires, each
        property's value is resolved on the element that declares it."""
        own = {each.name: each.value for each in declared if each.name.startswith("--")}
        if not own:
            return inherited
        properties = {**inherited, **own}
        found = dict(inherited)
        for name, value in own.items():
            try:
                found[name] = resolve_variables(value, properties)
            except BadValue:
                found.pop(name, None)
        return found

    def _inline(self, one: cssselect2.ElementWrapper, inherited: Mapping[str, Tokens]) -> None:
        element, declared = one.etree_element, self._declarations_of(one)
        custom = self._custom(declared, inherited)
        attributes = [name for name in SVG_PROPERTIES if name in element.attrib]
        declarations = {name: tinycss2.parse_component_value_list(element.attrib[name]) for name in attributes}
        declarations |= {each.name: each.value for each in declared if each.name in SVG_PROPERTIES}
        for name, value in declarations.items():
            element.attrib.pop(name, None)
            element.attrib.update(self._attributes(name, value, custom))
        for name in [key for key in element.attrib if key in PAGE_ATTRIBUTES or key.startswith("data-")]:
            del element.attrib[name]
        if element.attrib.pop("dominant-baseline", "") == "central":
            element.set("dy", BASELINE_OFFSET)
        if element.get("display") != "none":
            element.attrib.pop("display", None)
        for child in list(one.iter_children()):
            self._inline(child, custom)
            if child.etree_element.get("display") == "none":
                element.remove(child.etree_element)

    def _attributes(self, name: str, value: Tokens, custom: Mapping[str, Tokens]) -> dict[str, str]:
        try:
            tokens = resolve_variables(value, custom)
            if name in LENGTH_PROPERTIES:
                return {name: length(tokens)}
            if name in TEXT_PROPERTIES:
                return {name: text_of(tokens)}
            paint, opacity = colour(tokens, self._theme)
            return {name: paint, **({f"{name}-opacity": f"{opacity:.3g}"} if opacity < 1 else {})}
        except BadValue:
            return {}


def _rules(sheets: list[Path]) -> Iterator[tuple[Any, list[Any]]]:
    """Yield selectors with the declarations that a drawing might use. Skip rules inside media
    queries, and selectors that match only on hover or focus."""
    for sheet in sheets:
        for rule in tinycss2.parse_stylesheet(sheet.read_text("utf-8"), skip_comments=True, skip_whitespace=True):
            if rule.type != "qualified-rule":
                continue
            declared = tinycss2.parse_declaration_list(rule.content, skip_comments=True, skip_whitespace=True)
            useful = [
                one for one in declared if one.type == "declaration" and one.name.startswith(("--", *SVG_PROPERTIES))
            ]
            if not useful:
                continue
            try:
                selectors = cssselect2.compile_selector_list(rule.prelude)
            except cssselect2.SelectorError:
                continue
            yield from ((one, useful) for one in selectors)
