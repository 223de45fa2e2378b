-- Unfreeze a table.
-- KEYS  meta, due, live, frozen
-- ARGV  1 table id  2 due  3 score in the list of live tables, or ''
-- Returns 1 if it was frozen.
redis.call('ZREM', KEYS[4], ARGV[1])
if redis.call('HDEL', KEYS[1], 'frozen') == 0 then
  return 0
end
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
if ARGV[3] ~= '' then
  redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
end
return 1
