// The codes of a concept that was sent, whatever it holds.

export type SentCoding = { system?: unknown; code?: unknown }

export function codingsIn(concept: unknown): SentCoding[] {
  const { coding }: { coding?: unknown } = Object(concept)
  return Array.isArray(coding) ? coding.map((one) => Object(one) as SentCoding) : []
}

/** The first code of a system. */
export function codeIn(concept: unknown, wanted: string): unknown {
  return codingsIn(concept).find(({ system }) => system === wanted)?.code
}
