// What to paste into another terminal: a token, a search of the directory, a reading added and fetched back. The patient is
// invented. A shell expands nothing in a line but $TOKEN, and a line fits into 100 characters.

export const PATIENT = 'patient-1'

type Bases = { appointmentsUrl: string; casesheetUrl: string; port: number }

export function curlLines({ appointmentsUrl, casesheetUrl, port }: Bases, now: number): string {
  const authorization = '-H "Authorization: Bearer $TOKEN"'
  const seconds = Math.floor(now / 1_000)
  const reading = { patientUid: PATIENT, readingType: 'heartRate', value: 72, timestamp: seconds }
  return `TOKEN=$(npx rounds token --patient ${PATIENT} --port ${port})
curl ${authorization} '${appointmentsUrl}/doctors/list?limit=2'
curl ${authorization} -H 'Content-Type: application/json' \\
  ${casesheetUrl}/readings/add \\
  -d '${JSON.stringify(reading)}'
curl ${authorization} '${casesheetUrl}/readings/get'`
}
