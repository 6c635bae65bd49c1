// The four operations as lines for a shell, with tokens that work: for a patient, a carer and staff. The people are
// invented. A line holds nothing that a shell would read otherwise: all of it stands in single quotes.
import { requestToken, type TokenSource } from './request-token.ts'

const PATIENT = 'patient-1'
const CHILDREN = ['child-1', 'child-2']
const DAY_MS = 24 * 3_600_000

type Bases = { appointmentsUrl: string; casesheetUrl: string }

export async function curlLines(issuer: TokenSource, bases: Bases, now: number): Promise<string> {
  const [ofPatient, ofCarer, ofStaff] = await Promise.all([
    requestToken(issuer, { patientUids: [PATIENT] }),
    requestToken(issuer, { patientUids: CHILDREN }),
    requestToken(issuer, 'staff'),
  ])
  const readings = CHILDREN.map((child) => symptomOf(child, now))
  const patient = linesFor(ofPatient, bases, now)
  const carer = linesFor(ofCarer, bases, now)
  const staff = linesFor(ofStaff, bases, now)
  return `# A patient adds and reads their own readings: ${PATIENT}
${patient.doctors}
${patient.specialities}
${patient.add(symptomOf(PATIENT, now))}
${patient.get(PATIENT)}

# A carer has one token for several patients: ${CHILDREN.join(' and ')}
${carer.doctors}
${carer.specialities}
${carer.add(readings)}
${CHILDREN.map(carer.get).join('\n')}

# Staff read the readings of every patient, and add none
${staff.doctors}
${staff.specialities}
${staff.get(PATIENT)}
`
}

function linesFor(token: string, { appointmentsUrl, casesheetUrl }: Bases, now: number) {
  // The address comes first: the token is long, and of no interest to the eye.
  const authorization = `-H 'Authorization: Bearer ${token}'`
  const get = (url: string) => `curl '${url}' ${authorization}`
  return {
    doctors: get(`${appointmentsUrl}/doctors/list?q=willow&limit=2`),
    specialities: get(`${appointmentsUrl}/doctors/specialities/list`),
    add: (body: unknown) =>
      `curl '${casesheetUrl}/readings/add' -d '${JSON.stringify(body)}' -H 'Content-Type: application/json' ${authorization}`,
    get: (patientUid: string) =>
      get(`${casesheetUrl}/readings/get?patientUid=${patientUid}&from=${now - DAY_MS}&to=${now + DAY_MS}`),
  }
}

function symptomOf(patientUid: string, timestamp: number) {
  const symptoms = [{ symptom: 'headache', severity: 'MODERATE' }]
  return { patientUid, readingType: 'symptom', symptoms, timestamp }
}
