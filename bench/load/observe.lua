-- Adds Observations of FHIR that were not sent before: the readings that add.lua adds, as a device would write them.
package.path = os.getenv("LOADS") .. "/?.lua;" .. package.path
local loads = require("tokens")
local patients, headers, sequence, start

function init()
  patients, headers = loads.read(os.getenv("TOKENS"))
  start = tonumber(os.getenv("START_MS"))
  sequence = 0
end

local BODY = '{"resourceType":"Observation","status":"final",' ..
  '"category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/observation-category","code":"vital-signs"}]}],' ..
  '"code":{"coding":[{"system":"http://loinc.org","code":"8867-4"}]},"subject":{"reference":"Patient/%s"},' ..
  '"effectiveDateTime":"%s.%03dZ",' ..
  '"valueQuantity":{"value":%d,"unit":"beats/minute","system":"http://unitsofmeasure.org","code":"/min"}}'

function request()
  sequence = sequence + 1
  local index = sequence % #patients + 1
  local at = start + sequence
  local date = os.date("!%Y-%m-%dT%H:%M:%S", math.floor(at / 1000))
  return wrk.format("POST", nil, headers[index], string.format(BODY, patients[index], date, at % 1000, 50 + sequence % 100))
end

function done(summary, latency) loads.done(summary, latency) end
