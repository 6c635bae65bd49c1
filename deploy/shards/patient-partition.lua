-- The number of the partition in which PostgreSQL stores a patient: lua.patient_partition, empty where a request names no patient.
local PARTITIONS = tonumber(os.getenv("ROUNDS_PARTITIONS") or 32)
local CLAIM = os.getenv("ROUNDS_PATIENT_CLAIM") or "patientUid"
local M = 0xffffffff

-- hash_bytes_extended() of PostgreSQL (src/common/hashfn.c), with the seed of partitions, and hash_combine64() with nothing before it.
local function rotate(x, n) return (x << n | x >> (32 - n)) & M end
local function partition_of(text)
  local a = (0x9e3779b9 + #text + 3923095) & M
  local b, c = a, a
  local function mix()
    a = (a - c & M) ~ rotate(c, 4) c = c + b & M
    b = (b - a & M) ~ rotate(a, 6) a = a + c & M
    c = (c - b & M) ~ rotate(b, 8) b = b + a & M
    a = (a - c & M) ~ rotate(c, 16) c = c + b & M
    b = (b - a & M) ~ rotate(a, 19) a = a + c & M
    c = (c - b & M) ~ rotate(b, 4) b = b + a & M
  end
  a = a + 0x7a5b2236 & M
  b = b + 0x7996dcfd & M
  mix()
  local at = 1
  while #text - at >= 11 do
    local x, y, z = string.unpack("<I4I4I4", text, at)
    a, b, c, at = a + x & M, b + y & M, c + z & M, at + 12
    mix()
  end
  -- The lowest byte of the third word is for the length.
  local rest = text:sub(at) .. ("\0"):rep(11 - (#text - at + 1))
  local x, y, z = string.unpack("<I4I4I4", rest:sub(1, 8) .. "\0" .. rest:sub(9))
  a, b, c = a + x & M, b + y & M, c + z & M
  c = (c ~ b) - rotate(b, 14) & M
  a = (a ~ c) - rotate(c, 11) & M
  b = (b ~ a) - rotate(a, 25) & M
  c = (c ~ b) - rotate(b, 16) & M
  a = (a ~ c) - rotate(c, 4) & M
  b = (b ~ a) - rotate(a, 14) & M
  c = (c ~ b) - rotate(b, 24) & M
  local hash = (b << 32 | c) + 0x49a0f4dd15e5a8e3
  return ((hash >> 1) % PARTITIONS * 2 + (hash & 1)) % PARTITIONS
end

-- The text of a member of an object in JSON, also where it is the only one of a list.
local ESCAPED = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local function member(json, name)
  local _, first, list = json:find('"' .. name .. '"%s*:%s*(%[?)%s*"')
  if not first then return nil end
  local last = first
  repeat
    last = json:find('["\\]', last + 1)
    if not last then return nil end
    local is_end = json:sub(last, last) == '"'
    if not is_end then last = last + 1 end
  until is_end
  if list == "[" and not json:find("^%s*%]", last + 1) then return nil end
  local text = json:sub(first + 1, last - 1):gsub("\\\\", "\0")
  text = text:gsub("\\u([dD][89abAB]%x%x)\\u([dD][c-fC-F]%x%x)", function(high, low)
    return utf8.char(0x10000 + ((tonumber(high, 16) & 0x3ff) << 10 | tonumber(low, 16) & 0x3ff))
  end)
  text = text:gsub("\\u(%x%x%x%x)", function(code) return utf8.char(tonumber(code, 16)) end)
  return (text:gsub("\\(.)", function(char) return ESCAPED[char] or char end):gsub("%z", "\\"))
end

local function patient_of(txn)
  local query = ("&" .. txn.sf:query()):match("&patientUid=([^&]*)")
  if query then
    return (query:gsub("+", " "):gsub("%%(%x%x)", function(code) return string.char(tonumber(code, 16)) end))
  end
  local claims = txn.sf:req_hdr("authorization"):match("^[Bb]earer%s+[^.]+%.([^.]+)")
  return member(txn.sf:req_body(), "patientUid") or (claims and member(txn.c:ub64dec(claims), CLAIM))
end

core.register_fetches("patient_partition", function(txn)
  local patient = patient_of(txn)
  return patient and tostring(partition_of(patient)) or ""
end)
