// A move is aborted at every step before the new cell serves the slots.
import { testAborts } from '../aborts.ts'

await testAborts([
  'recorded',
  'prepared',
  'replicating',
  'copied',
  'compared',
  'closed',
  'ended',
  'confirmed',
  'checked',
])
