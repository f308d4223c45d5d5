"""What all HTML pages share: the frame of a page, its style, escaped text, tables and bars."""
