// A kill of each kind. All of them at every step: test/cells/long.
import { testKills } from './kills.ts'

await testKills([
  ['confirmed', 'old primary'],
  ['copied', 'Rounds process'],
  ['checked', 'new primary'],
  ['opened', 'command'],
])
