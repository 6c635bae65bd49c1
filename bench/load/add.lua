-- Adds readings that were not sent before: READINGS (default 1) in each request, of one patient.
package.path = os.getenv("LOADS") .. "/?.lua;" .. package.path
local loads = require("tokens")
local patients, headers, readings, sequence, start

function init()
  patients, headers = loads.read(os.getenv("TOKENS"))
  readings = tonumber(os.getenv("READINGS") or "1")
  start = tonumber(os.getenv("START_MS"))
  sequence = 0
end

local function reading(patient)
  sequence = sequence + 1
  return string.format('{"patientUid":"%s","readingType":"heartRate","value":%d,"timestamp":%.0f}', patient, 50 + sequence % 100, start + sequence)
end

function request()
  local index = sequence % #patients + 1
  if readings == 1 then return wrk.format("POST", nil, headers[index], reading(patients[index])) end
  local list = {}
  for count = 1, readings do list[count] = reading(patients[index]) end
  return wrk.format("POST", nil, headers[index], "[" .. table.concat(list, ",") .. "]")
end

function done(summary, latency) loads.done(summary, latency) end
