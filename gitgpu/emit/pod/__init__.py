"""Parts of pod templates that several kinds of object share."""
