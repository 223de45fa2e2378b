-- Freeze a table: nobody can change it, and it is no longer listed.
-- KEYS  meta, due, live, frozen
-- ARGV  1 table id
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HSET', KEYS[1], 'frozen', '1')
  redis.call('ZADD', KEYS[4], redis.call('TIME')[1], ARGV[1])
end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return 1
