-- Append one commit to a table, if its head is as expected.
-- KEYS  meta, log, snap, due, live, tables, people
-- ARGV  1 expected head ('' opens the table)  2 new head  3 entry id  4 commit
--       5 snapshot or ''  6 due or ''  7 table id  8 channel  9 summary or ''
--       10 score in the list of live tables, or ''
--       11 '' or the writer's own channel. If it and the table's channel have one subscriber each,
--          that is the writer itself, and no notification is published
--       12 when the table was opened, if it is to be entered into the index anew, or ''
--       13 its terms in the index, one in each line
-- Returns {1} appended (also when this very commit was appended before),
--         {0, head} not: the table is at that head ('' if it is gone),  {2} frozen.
local head = redis.call('HGET', KEYS[1], 'head') or ''
if head == ARGV[2] then
  return {1}
end
if head ~= ARGV[1] then
  return {0, head}
end
if redis.call('HEXISTS', KEYS[1], 'frozen') == 1 then
  return {2}
end
redis.call('XADD', KEYS[2], ARGV[3], 'c', ARGV[4])
redis.call('HSET', KEYS[1], 'head', ARGV[2])
if ARGV[5] ~= '' then
  redis.call('SET', KEYS[3], ARGV[5])
end
if ARGV[6] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[6], ARGV[7])
else
  redis.call('ZREM', KEYS[4], ARGV[7])
end
if ARGV[9] ~= '' then
  redis.call('HSET', KEYS[1], 'summary', ARGV[9])
end
if ARGV[10] ~= '' then
  redis.call('ZADD', KEYS[5], ARGV[10], ARGV[7])
end
if ARGV[12] ~= '' then
  unindex(KEYS[1], KEYS[6], KEYS[7], ARGV[7])
  index(KEYS[1], KEYS[6], KEYS[7], ARGV[7], ARGV[12], ARGV[13])
end
local listening = ARGV[11] ~= '' and redis.pcall('PUBSUB', 'NUMSUB', ARGV[8], ARGV[11])
if not listening or listening[2] ~= 1 or listening[4] ~= 1 then
  redis.call('PUBLISH', ARGV[8], ARGV[2])
end
return {1}
