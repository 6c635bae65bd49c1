-- Gets ranges of READINGS readings: a patient's readings lie SPACING_S seconds apart from FIRST_S on, HISTORY of them.
-- Without READINGS it gets the path as it is.
package.path = os.getenv("LOADS") .. "/?.lua;" .. package.path
local loads = require("tokens")
local patients, headers, readings, history, spacing, first, count

function init()
  patients, headers = loads.read(os.getenv("TOKENS"))
  readings = tonumber(os.getenv("READINGS") or "0")
  history = tonumber(os.getenv("HISTORY") or "0")
  spacing = tonumber(os.getenv("SPACING_S") or "0")
  first = tonumber(os.getenv("FIRST_S") or "0")
  count = 0
  math.randomseed(tonumber(os.getenv("START_MS")) % 2147483647)
end

function request()
  count = count + 1
  local index = count % #patients + 1
  if readings == 0 then return wrk.format("GET", nil, headers[index]) end
  local from = first + math.random(0, history - readings) * spacing
  local to = from + (readings - 1) * spacing
  return wrk.format("GET", string.format("%s?patientUid=%s&from=%d&to=%d", wrk.path, patients[index], from, to), headers[index])
end

function done(summary, latency) loads.done(summary, latency) end
