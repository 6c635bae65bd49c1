// docs/mcp.md, as a reader follows it: `rounds dev` with its modules, a token, and a client with its configuration.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startDev, temporaryDirectory } from '../support/dev.ts'
import { runExamples } from '../support/document-examples.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8')
const [, script = ''] = /```sh\n([^]*?)```/.exec(guide) ?? []
const [, configuration = ''] = /```json\n([^]*?)```/.exec(guide) ?? []

type Configuration = {
  mcpServers: { rounds: { type: string; url: string; headers: Record<string, string> } }
}

test('a client with the configuration of the guide reads the demo', async () => {
  const [, MODULES = '', args = ''] = /^MODULES=(\S+) npx rounds dev (.*)$/m.exec(script) ?? []
  const [getToken = ''] = /^npx rounds token .*$/m.exec(script) ?? []
  const TMPDIR = temporaryDirectory()
  const environment = { TMPDIR, PG_BIN: process.env['PG_BIN'] ?? '', MODULES }
  const dev = await startDev(environment, [...args.split(' '), '--port', '0'])
  const [token = ''] = await runExamples([getToken], {
    environment: { TMPDIR, HOME: TMPDIR, npm_config_loglevel: 'error' },
  })
  const { rounds } = (JSON.parse(configuration.replace('TOKEN', token.trim())) as Configuration).mcpServers
  assert.equal(rounds.type, 'http')
  const url = new URL(new URL(rounds.url).pathname, dev.casesheetUrl)
  assert.ok(dev.printed.some((line) => line.endsWith(` ${url.href}`)))
  // As hosts do until they know better: by the handshake of 2025, or by the version of 2026.
  for (const mode of ['legacy', 'auto'] as const) {
    const client = new Client({ name: 'guide', version: '1' }, { versionNegotiation: { mode } })
    after(() => client.close())
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: rounds.headers } }))
    const { structuredContent } = await client.callTool({ name: 'latest_readings', arguments: {} })
    const { patientUid, data } = structuredContent as { patientUid: string; data: unknown[] }
    assert.equal(patientUid, 'patient-1')
    assert.ok(data.length > 3)
  }
})
