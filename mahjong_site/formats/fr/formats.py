"""Dates and times in French, such as 24 novembre 2026, 17:30."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
TIME_FORMAT = "H:i"
SHORT_DATE_FORMAT = "j M Y"
YEAR_MONTH_FORMAT = "N Y"
