"""How pages write dates and times, one module for each language.

`static/js/pages/times.js` writes times of the reader's time zone in the same way.
"""
