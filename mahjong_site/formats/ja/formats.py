"""Dates and times in Japanese, such as 2026年11月24日 17:30."""

DATE_FORMAT = "Y年n月j日"
DATETIME_FORMAT = "Y年n月j日 H:i"
TIME_FORMAT = "H:i"
SHORT_DATE_FORMAT = "Y/n/j"
YEAR_MONTH_FORMAT = "Y年n月"
