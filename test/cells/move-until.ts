// `rounds cell move` in a process that stops at a step until it is killed, or told by SIGUSR2 to go on:
//   node test/cells/move-until.ts STEP JSON
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { changeRouterMap, type RouterMap } from '../../src/modules/cells/move/router-map.ts'
import type { SlotRange } from '../../src/modules/cells/slot-range.ts'

export type AskedMove = {
  sourceUrl: string
  targetUrl: string
  range: SlotRange
  routerMap?: RouterMap
}

const [, , step, json = ''] = process.argv
const { sourceUrl, targetUrl, range, routerMap } = JSON.parse(json) as AskedMove
await moveSlots({
  sourceUrl,
  targetUrl,
  sourceUrlForTarget: sourceUrl,
  range,
  limitMs: 120_000,
  async changeMap() {
    if (routerMap) await changeRouterMap(routerMap, range)
  },
  onProgress: () => {},
  async onStep(reached) {
    if (reached !== step) return
    const goesOn = new Promise((resume) => process.once('SIGUSR2', resume))
    process.stdout.write(`reached ${step}\n`)
    await goesOn
  },
})
