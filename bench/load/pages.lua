-- Requests each path of the file PATHS once. Where no line is left, requests fail.
package.path = os.getenv("LOADS") .. "/?.lua;" .. package.path
local loads = require("tokens")
local headers, lines, count

function init()
  local _
  _, headers = loads.read(os.getenv("TOKENS"))
  lines = io.lines(os.getenv("PATHS"))
  count = 0
end

function request()
  count = count + 1
  return wrk.format("GET", lines() or "/no-line-is-left", headers[count % #headers + 1])
end

function done(summary, latency) loads.done(summary, latency) end
