-- Read everything that Redis holds of a table, at one moment.
-- KEYS  meta, log, chat, spectator chat, snap, due, live, frozen
-- ARGV  1 table id
-- Returns {meta, log, chat, spectator chat, snap, score in due, in live, in frozen}, the last four
--         false where there is none.
local found = {redis.call('HGETALL', KEYS[1])}
for at = 2, 4 do
  found[at] = redis.call('XRANGE', KEYS[at], '-', '+')
end
found[5] = redis.call('GET', KEYS[5])
for at = 6, 8 do
  found[at] = redis.call('ZSCORE', KEYS[at], ARGV[1])
end
return found
