-- Claim the tables that are due in some shards for a lease. They are due again when it ends, unless
-- a commit sets another time first.
-- KEYS  due, of each shard. In a cluster one shard only: others may be at other nodes
-- ARGV  1 now  2 end of the lease  3 how many at most in each shard
--       4... ends of leases whose replies the caller never got: their tables are due now
-- Returns for each shard
--       {table ids, when the next one is due or '', since when the first of these was due or ''}
local found = {}
for at, key in ipairs(KEYS) do
  for i = 4, #ARGV do
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, ARGV[i], ARGV[i])) do
      redis.call('ZADD', key, ARGV[1], id)
    end
  end
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  local ids = redis.call('ZRANGEBYSCORE', key, '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
  for _, id in ipairs(ids) do
    redis.call('ZADD', key, ARGV[2], id)
  end
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  found[at] = {ids, first[2] or '', #ids > 0 and oldest[2] or ''}
end
return found
