// docs/api.md, run as a reader would: every `sh` block, in order, in one shell, against a real `rounds dev`; what is
// printed is compared with the `text` block below it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startDev, temporaryDirectory } from './dev.ts'
import { runProgram } from './process.ts'

const guide = readFileSync(join(import.meta.dirname, '../docs/api.md'), 'utf8')
const blocks = [...guide.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map(
  ([, , language = '', text = '']) => ({ language, text }),
)
const examples = blocks.flatMap(({ language, text }, index) => {
  const next = blocks[index + 1]
  return language === 'sh' ? [{ script: text, printed: next?.language === 'text' ? next.text : '' }] : []
})

const TMPDIR = temporaryDirectory()
const dev = await startDev({ TMPDIR, PG_BIN: process.env['PG_BIN'] ?? '' })
const outputs = await runAll(examples.map(({ script }) => script))

/** The output of each script; all of them run in one shell, which ends at the first command that fails. */
async function runAll(scripts: string[]): Promise<string[]> {
  const mark = '--- next ---'
  const session = scripts
    .map((script) => `${script}\nprintf '\\n%s\\n' '${mark}'\n`)
    .join('')
    .replaceAll('http://localhost:8080', new URL(dev.casesheetUrl).origin)
  // Only what is printed counts; npx may warn about settings of whoever runs this.
  const environment = { TMPDIR, HOME: TMPDIR, npm_config_loglevel: 'error' }
  const { code, output } = await runProgram('sh', ['-euc', session], environment).ended
  assert.equal(code, 0, output)
  return output.split(mark).slice(0, -1)
}

// Reaching from one reading into the next would hide that there are two.
const WITHIN_A_READING = '(?:(?!\\},\\{).)*'

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

/** Whether lines are as printed: `…` stands for anything within a line, and alone for any number of lines. */
function isAsPrinted(output: string, printed: string): boolean {
  const pattern = linesOf(printed).map((line) =>
    line === '…' ? '(?:.*\n)*' : `${escaped(line).replaceAll('…', WITHIN_A_READING)}\n`,
  )
  return new RegExp(`^${pattern.join('')}$`).test(
    linesOf(output)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

test('the guide has examples, and everything else in a frame is an answer or a setting', () => {
  assert.ok(examples.length >= 8, `${examples.length} examples`)
  assert.deepEqual(new Set(blocks.map(({ language }) => language)), new Set(['sh', 'text', 'js', 'ini']))
  const answers = blocks.filter(({ language }) => language === 'text')
  assert.equal(
    answers.length,
    examples.filter(({ printed }) => printed !== '').length,
    'an answer to nothing',
  )
})

for (const [index, { script, printed }] of examples.entries()) {
  const title = script.trim().split('\n').at(-1) ?? ''
  test(`the guide's example answers as printed: ${title.slice(0, 90)}`, () => {
    const output = (outputs[index] ?? '').replaceAll('\r', '')
    assert.ok(isAsPrinted(output, printed), `printed:\n${printed}\nanswered:\n${output}`)
  })
}

test('links within the guide lead somewhere', () => {
  const anchors = new Set(
    [...guide.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
  for (const [, anchor = ''] of guide.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(anchors.has(anchor), anchor)
})
