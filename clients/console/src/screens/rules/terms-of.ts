import type { Rule } from '../../../../typescript/src/client.ts'
import type { Terms } from './read-rule-form.ts'

/** Whose it is, and who set it. */
const NOT_SAID: ReadonlySet<string> = new Set([
  'patientUid',
  'ruleId',
  'template',
  'setBy',
  'doctorId',
  'setAt',
] satisfies (keyof Rule)[])

/** What a rule says, to be set for another patient: what is null is left out. */
export const termsOf = (rule: Rule) =>
  Object.fromEntries(
    Object.entries(rule).filter(([name, value]) => value !== null && !NOT_SAID.has(name)),
  ) as Terms
