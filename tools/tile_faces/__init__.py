"""The faces of the tiles, drawn as SVG: outlines, inks, and one module for each suit."""
