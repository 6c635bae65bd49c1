// `rounds cell move` in a process that is killed outright at a step:  node test/cells/move-until.ts STEP SOURCE TARGET FIRST LAST
import { moveSlots } from '../../src/modules/casesheet/cell/move/move-slots.ts'

const [, , step, sourceUrl = '', targetUrl = '', first, last] = process.argv
await moveSlots({
  sourceUrl,
  targetUrl,
  sourceUrlForTarget: sourceUrl,
  range: { first: Number(first), last: Number(last) },
  limitMs: 30_000,
  changeMap: async () => {},
  onProgress: () => {},
  onStep(reached) {
    if (reached === step) process.kill(process.pid, 'SIGKILL')
  },
})
