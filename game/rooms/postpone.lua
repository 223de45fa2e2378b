-- Say when a table is due next, if it has not moved on meanwhile.
-- KEYS  meta, due
-- ARGV  1 expected head  2 due  3 table id
if redis.call('HGET', KEYS[1], 'head') == ARGV[1] then
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
  return 1
end
return 0
