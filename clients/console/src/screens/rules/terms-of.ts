import type { Rule } from '../../../../typescript/src/client.ts'
import type { Terms } from './read-rule-form.ts'

/** What a rule says, to be set for another patient: what is null is left out. */
export function termsOf(rule: Rule): Terms {
  const { patientUid, ruleId, template, setBy, doctorId, setAt, ...terms } = rule
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null)) as Terms
}
