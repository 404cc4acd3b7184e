"""Makes what is drawn once and then tracked: the fonts of pictures, the icons of the page."""
