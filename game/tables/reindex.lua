-- Enter a table into the index anew, or remove it.
-- KEYS  meta, tables, people
-- ARGV  1 table id  2 when the table was opened, none to remove it  3 its terms, one in each line
unindex(KEYS[1], KEYS[2], KEYS[3], ARGV[1])
if ARGV[2] and redis.call('EXISTS', KEYS[1]) == 1 then
  index(KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], ARGV[3])
end
return 1
