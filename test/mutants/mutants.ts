// All mutants. Each is a fault in a promise that matters; docs/promises.md and SECURITY.md name them.
import { CARE } from './care.ts'
import { CONSOLE } from './console.ts'
import { CORE } from './core.ts'
import { EDGES } from './edges.ts'
import type { Mutant } from './mutant.ts'
import { READINGS } from './readings.ts'

export const MUTANTS: Mutant[] = [...CORE, ...READINGS, ...CARE, ...EDGES, ...CONSOLE]

/** The one of the shortest form. */
export const SHORT = 'retry-sooner-than-the-schedule'
