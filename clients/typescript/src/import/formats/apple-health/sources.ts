// Where a record comes from: `sourceName` is the app or device that wrote it, `device` what measured it. The address in `device`
// differs in each export of the same record, so only its named fields are taken.
import { importedFrom } from '../../source-text.ts'
import type { Attributes } from './xml.ts'

const MAX_CACHED = 1_000

type Source = ReturnType<typeof importedFrom>

export function createSources(): (attributes: Attributes) => Source {
  const cache = new Map<string, Source>()
  return ({ sourceName = '', sourceVersion = '', device = '' }) => {
    // The address is the same for all records of one device in one export.
    const key = `${sourceName}\n${sourceVersion}\n${device}`
    const known = cache.get(key)
    if (known) return known
    if (cache.size === MAX_CACHED) cache.clear()
    const source = importedFrom({
      device: deviceIn(device),
      app: { name: sourceName, version: sourceVersion },
    })
    cache.set(key, source)
    return source
  }
}

/** `<<HKDevice: 0x28>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:10.1>` */
function deviceIn(text: string) {
  const field = (name: string) => {
    const at = text.indexOf(`, ${name}:`)
    if (at === -1) return undefined
    const from = at + name.length + 3
    const rest = text.slice(from, from + 300)
    // Values may hold commas: one ends where the next field begins.
    const end =
      /, (?:name|manufacturer|model|hardware|firmware|software|localIdentifier|UDI|creation date):|>$/.exec(
        rest,
      )
    return end ? rest.slice(0, end.index) : rest
  }
  return { name: field('name'), manufacturer: field('manufacturer'), model: field('model') }
}
