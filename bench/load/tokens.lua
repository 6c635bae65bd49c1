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

-- Prints what the bench reads: requests, seconds, errors, and latencies in microseconds.
function loads.done(summary, latency)
  local errors = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration, errors,
    latency:percentile(50), latency:percentile(99)))
end

return loads
