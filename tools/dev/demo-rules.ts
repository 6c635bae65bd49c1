// The rules of `rounds dev --demo`: the doctor asks to be notified of some of the invented patients, and of severe symptoms of all. One of them
// holds when it is set, so there is an alert to find and to acknowledge.
import { createRoundsClient, type RuleToSet } from '../../clients/typescript/src/client.ts'
import { type Demo, DOCTOR } from './demo.ts'
import { requestToken, type TokenHolder } from './request-token.ts'

/** How often each patient would have alerted is told by the preview of the rule. The stories are in tools/simulate/demo-patients.ts. */
const RULES: RuleToSet[] = [
  {
    patientUid: 'patient-1',
    readingType: 'bloodPressure',
    field: 'systolic',
    severity: 'warning',
    value: { above: 150, times: 3, within: 'P7D' },
    clear: { below: 145 },
    label: 'High three times in a week',
  },
  {
    patientUid: 'child-1',
    readingType: 'interstitialGlucose',
    unit: 'mmol/L',
    severity: 'warning',
    value: { below: 3.9, times: 6, within: 'PT30M' },
  },
  {
    patientUid: 'patient-3',
    readingType: 'interstitialGlucose',
    unit: 'mg/dL',
    severity: 'urgent',
    value: { below: 54 },
    clear: { above: 70 },
  },
  {
    patientUid: 'patient-2',
    readingType: 'bloodPressure',
    field: 'systolic',
    severity: 'urgent',
    value: { above: 180 },
    clear: { below: 170 },
  },
  { patientUid: 'patient-6', readingType: 'bloodPressure', severity: 'warning', missing: { for: 'P2D' } },
  {
    patientUid: 'patient-8',
    readingType: 'bodyWeight',
    unit: 'kg',
    severity: 'warning',
    change: { by: 2, within: 'P3D' },
    label: 'Fluid?',
  },
  { readingType: 'symptom', severity: 'urgent', symptom: { severity: 'SEVERE' }, label: 'Severe symptom' },
]

/** Returns how many were set; none where the doctor is not in the directory. */
export async function setDemoRules(demo: Demo): Promise<number> {
  const { issuer, appointmentsUrl, casesheetUrl, careUrl, stopping: signal } = demo
  const urls = { appointmentsUrl, casesheetUrl, careUrl }
  const clientOf = async (holder: TokenHolder) =>
    createRoundsClient({ ...urls, token: await requestToken(issuer, holder) })
  const doctor = await clientOf({ person: DOCTOR })
  const { data: sharing } = await doctor.patients.list({}, { signal })
  if (sharing.length === 0) return 0
  for (const rule of RULES) await doctor.rules.set(rule, { signal })
  return RULES.length
}
