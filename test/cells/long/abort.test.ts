// A move is aborted at every step before the new cell serves the slots.
import { testAborts } from '../aborts.ts'
import { STEPS_BEFORE_OPENING } from '../steps.ts'

await testAborts(STEPS_BEFORE_OPENING)
