// Writes docs/settings.md from the table of settings that the server reads.   npm run generate:docs
// With --check it writes nothing and fails when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SETTINGS, type Setting } from '../src/config/settings.ts'

const DOCUMENT = join(import.meta.dirname, '../docs/settings.md')

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const generated = printDocument()
if (!values.check) writeFileSync(DOCUMENT, generated)
else if (readFileSync(DOCUMENT, 'utf8') !== generated) {
  process.stderr.write('docs/settings.md is stale: run "npm run generate:docs".\n')
  process.exitCode = 1
}

function printDocument(): string {
  const settings = Object.entries<Setting>(SETTINGS)
  const required = settings.filter(([, setting]) => setting.default === undefined)
  const optional = settings.filter(([, setting]) => setting.default !== undefined)
  return `<!-- Made from src/config/settings.ts by \`npm run generate:docs\`. Do not edit. -->

# Settings

\`rounds serve\` reads its settings from the environment once, at the start. It reports every wrong setting in one
message and starts only when all are right. \`rounds serve --help\` prints the same list.

## Required

${printTable(
  ['setting', 'meaning'],
  required.map(([name, { meaning }]) => [`\`${name}\``, meaning]),
)}

## Optional

Rate limits and queues are per process.

${printTable(
  ['setting', 'default', 'min to max', 'meaning'],
  optional.map(([name, { meaning, min, max, ...setting }]) => [
    `\`${name}\``,
    setting.default === '' ? 'none' : `\`${setting.default}\``,
    min === undefined || max === undefined ? '' : `${min} to ${max}`,
    meaning,
  ]),
)}

## Other commands

- \`migrate\`, \`directory import\`, \`patient\` and \`access-log\` need \`DATABASE_URL\` of the role that owns the tables.
- \`patient erase\` also needs \`ERASURE_KEY\`: at least 32 random bytes, as \`openssl rand -base64 32\` prints.
- \`dev\` and \`simulate\` list theirs with \`--help\`.
`
}

/** A table as the formatter leaves it: columns of one width. */
function printTable(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
