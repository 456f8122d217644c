"""SVG to PNG with the typefaces of the browser client, which are shipped, so that every machine draws the same."""

from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
LAST_SHIPPED = "\u024f"
"""The last letter that the shipped faces may have; later ones come from the system, if it has them."""


def png(svg: str) -> bytes:
    """Return a picture as PNG; raise ModuleNotFoundError without the extra `pictures`."""
    import resvg_py  # noqa: PLC0415  loaded when a picture is drawn

    fonts = [str(path) for path in sorted(FONTS.glob("*.ttf"))]
    foreign = any(LAST_SHIPPED < letter < "\u2000" or letter > "\u2fff" for letter in svg)
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, font_files=fonts, skip_system_fonts=not foreign))
