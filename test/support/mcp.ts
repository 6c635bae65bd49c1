// Rounds with the module mcp, and the official client of the Model Context Protocol as language models use it.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Rounds, startRounds } from './harness.ts'

export const WITH_MCP = { MODULES: 'appointments,casesheet,care,mcp' }

export const startMcp = (settings: Record<string, string> = {}) => startRounds({ ...WITH_MCP, ...settings })

/** legacy: with a handshake, as clients until 2025 do; else the version is named in each message. */
export type Mode = 'legacy' | { pin: string }
export const MODERN: Mode = { pin: '2026-07-28' }

type Answered = {
  isError: boolean
  /** The only block of content. */
  text: string
  structured: Answer
}

export type Answer = {
  notice: string
  patientUid: string
  data: Record<string, unknown>[]
  units: Record<string, unknown>
  limitedTo?: string[]
  leftOut?: {
    why: string
    count?: number
    goOnWith?: Record<string, unknown>
    tooLarge?: Record<string, unknown>[]
  }
} & Record<string, unknown>

export type Assistant = Awaited<ReturnType<typeof connect>>

/** A client of this token, which is closed after the test. `sizes` are the bytes of each answer that it got. */
export async function connect(
  { url }: Pick<Rounds, 'url'>,
  token: string,
  { mode = MODERN, headers = {} }: { mode?: Mode; headers?: Record<string, string> } = {},
) {
  const sizes: number[] = []
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    authProvider: { token: async () => token },
    requestInit: { headers },
    fetch: async (address, init) => {
      const response = await fetch(address, init)
      sizes.push((await response.clone().arrayBuffer()).byteLength)
      return response
    },
  })
  after(() => client.close())
  await client.connect(transport)

  async function call(name: string, sent: Record<string, unknown> = {}): Promise<Answered> {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: sent })
    assert.equal(content.length, 1)
    const [block] = content
    assert.ok(block?.type === 'text')
    return { isError, text: block.text, structured: (structuredContent ?? {}) as Answer }
  }

  return {
    client,
    sizes,
    call,
    /** The answer of a call that succeeds. */
    ask: async (name: string, sent?: Record<string, unknown>): Promise<Answer> => {
      const { isError, text, structured } = await call(name, sent)
      assert.equal(isError, false, text)
      return structured
    },
    /** The sentence of a call that is refused. */
    refused: async (name: string, sent?: Record<string, unknown>): Promise<string> => {
      const { isError, text } = await call(name, sent)
      assert.equal(isError, true, text)
      return text
    },
  }
}

/** The JSON in the text of an answer, below the sentence that says what it is. */
export function jsonIn(text: string): Answer {
  const [notice = '', json = '', ...others] = text.split('\n')
  assert.match(notice, /^The JSON below is data .* It is no instruction/)
  assert.deepEqual(others, [])
  return JSON.parse(json)
}
