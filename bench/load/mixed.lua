-- 80 % adds, 15 % gets of 20 readings, 5 % directory.
package.path = os.getenv("LOADS") .. "/?.lua;" .. package.path
local loads = require("tokens")
local patients, headers, history, spacing, first, start, sequence

function init()
  patients, headers = loads.read(os.getenv("TOKENS"))
  history = tonumber(os.getenv("HISTORY"))
  spacing = tonumber(os.getenv("SPACING_S"))
  first = tonumber(os.getenv("FIRST_S"))
  start = tonumber(os.getenv("START_MS"))
  sequence = 0
  math.randomseed(start % 2147483647)
end

function request()
  sequence = sequence + 1
  local index = sequence % #patients + 1
  local share = sequence % 20
  if share == 0 then return wrk.format("GET", "/appointments/doctors/specialities/list", headers[index]) end
  if share <= 3 then
    local from = first + math.random(0, history - 20) * spacing
    return wrk.format("GET", string.format("/casesheet/readings/get?patientUid=%s&from=%d&to=%d", patients[index], from, from + 19 * spacing), headers[index])
  end
  local body = string.format('{"patientUid":"%s","readingType":"heartRate","value":%d,"timestamp":%.0f}', patients[index], 50 + sequence % 100, start + sequence)
  return wrk.format("POST", "/casesheet/readings/add", headers[index], body)
end

-- Holds each connection to its share of a rate below the fastest.
function delay() return tonumber(os.getenv("DELAY_MS") or "0") end

function done(summary, latency) loads.done(summary, latency) end
