// Public texts use the words of the field: queue, admission control, connection lost, cached, default, min, max. The words below
// were this project's own, and a reader of the API, the metrics or a help text would have to guess them.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'

const root = join(import.meta.dirname, '../..')

const PRIVATE: [word: RegExp, better: string][] = [
  [/\bdoors?\b/i, 'admission control'],
  [/\b(stand|stands|stood|wait|waits|room|requests|those) in (the |a |one )?line\b/i, 'queued'],
  [/\b(one|a|the) line (is|may|refuses|of \w+ at)\b/i, 'queue'],
  [/\blanes?\b/i, 'statements in flight'],
  [/\b(go|goes|gone|went) away\b|\bis away\b/i, 'connection lost, disconnected, unavailable'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bhopeless\b/i, 'not retryable'],
  [/\btold\b/i, 'reported, logged'],
  [/\b(nobody|somebody|everybody|whoever)\b/i, 'a client, the caller, another process'],
  [/\b(no|at|each) rest\b/i, 'idle'],
  [/\bturns? of the (event )?loop\b/i, 'event-loop iteration'],
  [/\b(remembered|forgotten)\b/i, 'cached, evicted'],
  [/\bas many (may|as|connections)\b/i, 'maximum number'],
]

type Text = { where: string; text: string }

function assertPlain(texts: Text[], atLeast: number) {
  assert.ok(texts.length >= atLeast, `${texts.length} texts were found`)
  const found = texts.flatMap(({ where, text }) =>
    PRIVATE.flatMap(([word, better]) => {
      const [match] = word.exec(text) ?? []
      return match === undefined ? [] : [`${where} says "${match}" (better: ${better}): ${text.trim()}`]
    }),
  )
  assert.deepEqual(found, [])
}

/** All texts within a value, with their places. */
function textsIn(value: unknown, where: string): Text[] {
  if (typeof value === 'string') return [{ where, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${where}/${key}`))
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('a private word would be found', () => {
  for (const text of ['refused at the door', 'Requests that stand in line.', 'The caller went away.']) {
    assert.throws(() => assertPlain([{ where: 'here', text }], 1), { name: 'AssertionError' }, text)
  }
})

test('the OpenAPI document and the help of the metrics have no private words', async () => {
  const rounds = await startRounds(WITH_WEBHOOKS)
  const document: unknown = JSON.parse((await rounds.call('/openapi.json')).text)
  assertPlain(textsIn(document, 'openapi.json'), 500)
  const metrics = await (await fetch(`${rounds.adminUrl}/metrics`)).text()
  const helps = [...metrics.matchAll(/^# HELP (rounds_\w+) (.*)$/gm)]
  assertPlain(
    helps.map(([, where = '', text = '']) => ({ where, text })),
    20,
  )
})

test('the help of every command has no private words', async () => {
  const { output } = await runCommand(['--help']).ended
  const names = [...output.matchAll(/^ {2}rounds ([a-z-]+)/gm)].map(([, name = '']) => name)
  const helps = [...new Set(names)].map(async (name) => ({
    where: `rounds ${name} --help`,
    text: (await runCommand([name, '--help']).ended).output,
  }))
  const lines = [{ where: 'rounds --help', text: output }, ...(await Promise.all(helps))].flatMap(
    ({ where, text }) => text.split('\n').map((line) => ({ where, text: line })),
  )
  assertPlain(lines, 100)
})

test('alerts and the dashboard have no private words', () => {
  const monitoring = 'deploy/monitoring'
  assertPlain(textsIn(parse(read(`${monitoring}/alerts.yaml`)), 'alerts.yaml'), 50)
  assertPlain(textsIn(JSON.parse(read(`${monitoring}/grafana-dashboard.json`)), 'the dashboard'), 50)
})

// Quoted, within one line, and of several words: messages of errors and of the log, and descriptions. Longer texts are those
// above.
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g

function sentencesOf(file: string): Text[] {
  return read(file)
    .split('\n')
    .flatMap((line, index) =>
      /^\s*(\/\/|\/?\*|import )/.test(line)
        ? []
        : [...line.matchAll(QUOTED)].map((match) => ({
            where: `${file}:${index + 1}`,
            text: match.slice(1).join(''),
          })),
    )
    .filter(({ text }) => /\w \w/.test(text))
}

test('no message in the sources has private words', () => {
  const sources = ['src', 'tools', 'clients/typescript/src']
    .flatMap((dir) =>
      readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((file) => join(dir, file)),
    )
    .filter((file) => file.endsWith('.ts') && !/\.(test|lab)\.ts$/.test(file))
  assertPlain(sources.flatMap(sentencesOf), 300)
})
