"""Dates and times in English, such as 24 November 2026, 17:30."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
TIME_FORMAT = "H:i"
SHORT_DATE_FORMAT = "j M Y"
YEAR_MONTH_FORMAT = "M Y"
