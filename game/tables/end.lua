-- End a table: it is not due and on no list, and its keys expire.
-- KEYS  meta, tables, people, due, live, frozen, then the table's other keys
-- ARGV  1 table id  2 seconds until its keys expire
unindex(KEYS[1], KEYS[2], KEYS[3], ARGV[1])
for at = 4, 6 do
  redis.call('ZREM', KEYS[at], ARGV[1])
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
for at = 7, #KEYS do
  redis.call('EXPIRE', KEYS[at], ARGV[2])
end
return 1
