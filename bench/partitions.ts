// `node bench/partitions.ts`: the rows of the readings with other numbers of hash partitions than the default.
import { loadReadings } from './data.ts'
import { printTable } from './figures.ts'
import { writeTokens } from './http-loads.ts'
import { setStage } from './stage.ts'
import { measureVariants, type Variant } from './variants.ts'

const COUNTS = [1, 8, 16, 32, 64]
const say = (text: string) => process.stdout.write(`${text}\n`)

const stage = await setStage()
try {
  const tokens = await writeTokens(stage)
  const variants: Variant[] = []
  for (const count of COUNTS) {
    const database = await stage.createDatabase(`partitions_${count}`, {
      modules: ['fhir'],
      partitions: count,
    })
    await loadReadings(database, 1_000_000, () => undefined)
    variants.push({ label: `${count} partitions`, database })
  }
  const curves = await measureVariants(variants, { stage, tokens, seconds: 3, rounds: 3, say })
  for (const { name, figures } of curves) {
    say(`\n${name}`)
    say(printTable(figures.map((figure, index) => ({ ...figure, name: variants[index]?.label ?? '' }))))
  }
} finally {
  await stage.strike()
}
