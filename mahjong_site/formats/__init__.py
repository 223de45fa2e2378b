"""How pages write dates and times: one module for each language.

`static/js/pages/times.js` writes times in the same way, in the reader's time zone.
"""
