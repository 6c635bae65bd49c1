-- Searches Observations of FHIR: the same ranges of READINGS readings that get.lua gets.
package.path = os.getenv("LOADS") .. "/?.lua;" .. package.path
local loads = require("tokens")
local patients, headers, readings, history, spacing, first, count

function init()
  patients, headers = loads.read(os.getenv("TOKENS"))
  readings = tonumber(os.getenv("READINGS"))
  history = tonumber(os.getenv("HISTORY"))
  spacing = tonumber(os.getenv("SPACING_S"))
  first = tonumber(os.getenv("FIRST_S"))
  count = 0
  math.randomseed(tonumber(os.getenv("START_MS")) % 2147483647)
end

local function date(seconds) return os.date("!%Y-%m-%dT%H:%M:%SZ", seconds) end

function request()
  count = count + 1
  local index = count % #patients + 1
  local from = first + math.random(0, history - readings) * spacing
  local to = from + (readings - 1) * spacing
  local query = string.format("patient=%s&date=ge%s&date=le%s&_sort=date&_count=%d", patients[index], date(from), date(to), readings)
  return wrk.format("GET", wrk.path .. "?" .. query, headers[index])
end

function done(summary, latency) loads.done(summary, latency) end
