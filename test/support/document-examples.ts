// The commands of a document, run as a reader would: every `sh` frame, in order, in one shell. What is printed is compared
// with the `text` frame below it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './process.ts'

const OPERATIONS = join(import.meta.dirname, '../../docs/operations')

export type Example = { script: string; printed: string }

/** Everything in a frame, with the paragraph that leads to it. */
export function framesOf(document: string) {
  return [...document.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map(
    ({ 2: language = '', 3: text = '', index }) => ({
      language,
      text,
      lead: document.slice(0, index).trimEnd().split('\n\n').at(-1) ?? '',
    }),
  )
}

/** The commands, and what they print; but for those that the document says were not run. */
export function examplesOf(document: string): Example[] {
  const frames = framesOf(document)
  return frames.flatMap(({ language, text, lead }, index) => {
    const next = frames[index + 1]
    const isRun = language === 'sh' && !/(?<![a-z])not run(?![a-z])/i.test(`${lead}\n${text}`)
    return isRun ? [{ script: text, printed: next?.language === 'text' ? next.text : '' }] : []
  })
}

/** The part of a document below a heading, up to the next heading of its level. */
export function sectionOf(document: string, heading: string): string {
  const [, level = '', text] = new RegExp(`^(#+) ${heading}\n([^]*)`, 'm').exec(document) ?? []
  if (text === undefined) throw new Error(`There is no heading "${heading}".`)
  return text.split(new RegExp(`^#{1,${level.length}} `, 'm'))[0] ?? ''
}

type Deps = {
  environment: Record<string, string>
  /** The user that runs them, where we are root. */
  as?: string
  cwd?: string
}

/** The text of pages of docs/operations, one after the other. */
export const operationsPages = (...names: string[]) =>
  names.map((name) => readFileSync(join(OPERATIONS, `${name}.md`), 'utf8')).join('\n')

/** The output of each script; all of them run in one shell, which ends at the first command that fails. */
export async function runExamples(scripts: string[], { environment, as, cwd }: Deps): Promise<string[]> {
  const mark = '--- next ---'
  const session = scripts.map((script) => `${script}\nprintf '\\n%s\\n' '${mark}'\n`).join('')
  const isRoot = process.getuid?.() === 0
  const command = as && isRoot ? ['runuser', '-u', as, '--', 'sh', '-euc', session] : ['sh', '-euc', session]
  const [file = '', ...args] = command
  const { code, output } = await runProgram(file, args, environment, cwd).ended
  assert.equal(code, 0, output)
  return output.split(mark).slice(0, -1)
}

// Reaching from one reading into the next would hide that there are two.
const WITHIN_A_READING = '(?:(?!\\},\\{).)*'

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

/** Whether lines are as printed: `…` stands for anything within a line, and alone for any number of lines. */
export function isAsPrinted(output: string, printed: string): boolean {
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
