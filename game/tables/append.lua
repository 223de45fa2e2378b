-- Append one commit to a table, if its head is as expected.
-- KEYS and ARGV are in the order of the locals below.
--   expected     the head before the commit; '' opens the table
--   snapshot, summary, due_at, live_score    '' for none; live_score is the score in `live`
--   own_channel  '' or the writer's own channel. If it and the table's channel have one subscriber
--                each, that is the writer itself, and no notification is published
--   opened_at    when the table was opened, if it is to be entered into the index anew, or ''
--   terms        its terms in the index, one in each line
-- Returns {1} appended (also when this very commit was appended before),
--         {0, head} not: the table is at that head ('' if it is gone),  {2} frozen.
local meta, log, snap, due, live, tables, people = unpack(KEYS)
local expected, new_head, entry_id, commit, snapshot, due_at, id = unpack(ARGV)
local channel, summary, live_score, own_channel, opened_at, terms = unpack(ARGV, 8)
local head = redis.call('HGET', meta, 'head') or ''
if head == new_head then
  return {1}
end
if head ~= expected then
  return {0, head}
end
if redis.call('HEXISTS', meta, 'frozen') == 1 then
  return {2}
end
redis.call('XADD', log, entry_id, 'c', commit)
redis.call('HSET', meta, 'head', new_head)
if snapshot ~= '' then
  redis.call('SET', snap, snapshot)
end
if due_at ~= '' then
  redis.call('ZADD', due, due_at, id)
else
  redis.call('ZREM', due, id)
end
if summary ~= '' then
  redis.call('HSET', meta, 'summary', summary)
end
if live_score ~= '' then
  redis.call('ZADD', live, live_score, id)
end
if opened_at ~= '' then
  unindex(meta, tables, people, id)
  index(meta, tables, people, id, opened_at, terms)
end
local listening = own_channel ~= '' and redis.pcall('PUBSUB', 'NUMSUB', channel, own_channel)
if not listening or listening[2] ~= 1 or listening[4] ~= 1 then
  redis.call('PUBLISH', channel, new_head)
end
return {1}
