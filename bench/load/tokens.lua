-- Shared by the loads: the tokens of a file, one a line, each of a patient: "<patientUid> <token>".
local loads = {}

function loads.read(path)
  local patients, headers = {}, {}
  for line in io.lines(path) do
    local patient, token = line:match("^(%S+) (%S+)$")
    patients[#patients + 1] = patient
    headers[#headers + 1] = { ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json" }
  end
  return patients, headers
end

-- Prints what the bench reads: requests, microseconds, refused, failed, and latencies in microseconds.
function loads.done(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d\n", summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(50), latency:percentile(99)))
end

-- Looks at every answer, only where asked to: it takes CPU.
if os.getenv("SHOW_REFUSAL") then
  local isShown = false
  function response(status, _, body)
    if isShown or (status >= 200 and status < 300) then return end
    isShown = true
    io.write(string.format("REFUSAL %d %s\n", status, (body or ""):sub(1, 500):gsub("%s+", " ")))
    io.flush()
  end
end

return loads
