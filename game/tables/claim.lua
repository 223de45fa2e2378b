-- Claim the tables that are due in one shard for a lease. They are due again when it ends, unless
-- a commit sets another time first.
-- KEYS  due
-- ARGV  1 now  2 end of the lease  3 how many at most
--       4... ends of leases whose replies the caller never got: their tables are due now
-- Returns {table ids, when the next one is due or '', since when the first of these was due or ''}
for i = 4, #ARGV do
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[i], ARGV[i])) do
    redis.call('ZADD', KEYS[1], ARGV[1], id)
  end
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ids) do
  redis.call('ZADD', KEYS[1], ARGV[2], id)
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {ids, first[2] or '', #ids > 0 and oldest[2] or ''}
