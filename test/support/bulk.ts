// Bulk exports through HTTP, for tests: begun, read whole and deleted, as a backend service does it.
import assert from 'node:assert/strict'
import type { FhirRounds, Resource } from './fhir.ts'

export type Manifest = {
  transactionTime: string
  request: string
  requiresAccessToken: boolean
  output: { type: string; url: string }[]
  deleted: { type: string; url: string }[]
  error: unknown[]
}

export const ASYNC = { prefer: 'respond-async' }

export async function exporterOf(rounds: FhirRounds, claims: Record<string, unknown> = {}) {
  const token = await rounds.token({ sub: 'warehouse', scope: 'system/Observation.rs', ...claims })
  const headers = { authorization: `Bearer ${token}` }

  /** The address of the status. */
  async function begin(query = '', path = '/$export'): Promise<string> {
    const answer = await rounds.fhir(`${path}${query}`, { token, headers: ASYNC })
    assert.equal(answer.status, 202, answer.text)
    const address = answer.headers.get('content-location') ?? ''
    assert.ok(address.startsWith(`${rounds.url}/fhir/$export/`), address)
    return address
  }
  async function manifestAt(address: string): Promise<Manifest> {
    const response = await fetch(address, { headers })
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as Manifest
  }
  async function linesOf(files: Manifest['output']): Promise<Resource[]> {
    const lines: Resource[] = []
    for (const { type, url } of files) {
      const response = await fetch(url, { headers })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'application/fhir+ndjson')
      const text = await response.text()
      assert.ok(text === '' || text.endsWith('\n'))
      for (const line of text.split('\n').slice(0, -1)) lines.push(JSON.parse(line) as Resource)
      assert.ok(lines.every(({ resourceType }) => resourceType === type))
    }
    return lines
  }
  /** An export from its begin to its last line. */
  async function exportAll(query = '') {
    const manifest = await manifestAt(await begin(query))
    return { manifest, observations: await linesOf(manifest.output) }
  }
  const after = ({ transactionTime }: Manifest) => `?_since=${transactionTime}`
  return { token, headers, begin, manifestAt, linesOf, exportAll, after }
}

/** What makes Observations comparable with what was stored: the id of the reading, and the status. */
export function statesOf(observations: Resource[]): Map<string, string> {
  return new Map(
    observations.map(({ identifier, status }) => {
      const value = (identifier as { value: string }[]).at(-1)?.value ?? ''
      return [value.slice('urn:uuid:'.length), String(status)]
    }),
  )
}
