-- Set when a table is due next, unless its head has changed or it is frozen.
-- KEYS  meta, due
-- ARGV  1 expected head  2 due  3 table id
local head, frozen = unpack(redis.call('HMGET', KEYS[1], 'head', 'frozen'))
if head == ARGV[1] and not frozen then
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
  return 1
end
return 0
