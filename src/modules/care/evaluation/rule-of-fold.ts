// What a fold needs of a rule.
import type { Terms } from '../rules/rule.ts'

export type RuleOfFold = { readingType: string; field: string | null; terms: Terms }
