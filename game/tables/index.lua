-- Functions for the scripts that change the index of tables (this text comes before theirs).
-- The index: `tables` has each table by the time at which it was opened; `people` has members
-- "<term>\n<table id>" for each term under which the table is found, all with score 0.
-- The table's own terms are in its field `terms`, so that they can be removed.
local function unindex(meta, tables, people, id)
  for term in string.gmatch(redis.call('HGET', meta, 'terms') or '', '[^\n]+') do
    redis.call('ZREM', people, term .. '\n' .. id)
  end
  redis.call('ZREM', tables, id)
end

local function index(meta, tables, people, id, opened_at, terms)
  redis.call('ZADD', tables, opened_at, id)
  redis.call('HSET', meta, 'terms', terms)
  for term in string.gmatch(terms, '[^\n]+') do
    redis.call('ZADD', people, 0, term .. '\n' .. id)
  end
end
