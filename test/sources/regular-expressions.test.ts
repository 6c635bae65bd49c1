// No regular expression takes more than linear time, whatever it is given: a text of a few kilobytes could otherwise hold the
// event loop for seconds. recheck decides it for each expression of the sources and each `pattern` of a schema, by an automaton: its
// other way, by trying texts, gives now this answer and now that. An automaton knows no look-ahead; write a group instead.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

// Its build in JavaScript: the others start a process of their own.
process.env['RECHECK_BACKEND'] = 'pure'
const { checkSync } = await import('recheck')

const root = join(import.meta.dirname, '../..')
const files = ['src', 'tools', 'clients/typescript/src'].flatMap((dir) =>
  readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(dir, file))
    // They are given our own SQL.
    .filter((file) => !file.startsWith('src/db/migrate/')),
)

type Expression = { file: string; source: string; flags: string }

/** A slash begins an expression where no value stands before it. */
const LITERAL =
  /(?<=(?:[(,=:[!&|?{};>]|\breturn|^)\s*)\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?=\s*[.,;)\]}\n:])/gm
const COMMENT = /^\s*(?:\/\/|\/?\*).*$|(?<=\s)\/\/ .*$/gm
const PATTERN = /\bpattern: '((?:\\.|[^'\\])*)'/g

function expressionsOf(file: string): Expression[] {
  const text = readFileSync(join(root, file), 'utf8').replace(COMMENT, '')
  const literals = [...text.matchAll(LITERAL)].map(([, source = '', flags = '']) => ({ file, source, flags }))
  const patterns = [...text.matchAll(PATTERN)].map(([, written = '']) => ({
    file,
    source: JSON.parse(`"${written}"`) as string,
    flags: 'u',
  }))
  return [...literals, ...patterns]
}

const expressions = files.flatMap(expressionsOf)

/** What recheck cannot read, and why it takes linear time. */
const DECIDED_BY_HAND: Record<string, string> = {
  '[[\\p{M}&&[\\p{sc=Inherited}\\p{sc=Hebrew}\\p{sc=Arabic}]]\\p{Cf}]': 'one character of a set (flag v)',
}

const decided = new Set(Object.keys(DECIDED_BY_HAND))

for (const file of new Set(expressions.map((expression) => expression.file))) {
  test(`the regular expressions of ${file} take linear time`, () => {
    for (const { source, flags } of expressions.filter((expression) => expression.file === file)) {
      if (decided.has(source) || decided.has(`${source}/${flags}`)) continue
      const { status } = checkSync(source, flags, { timeout: 60_000, checker: 'automaton' })
      assert.equal(status, 'safe', `/${source}/${flags}`)
      decided.add(`${source}/${flags}`)
    }
  })
}

test('every expression of the sources is found, and none is made at run time from what a caller sends', () => {
  assert.ok(expressions.length > 70)
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8').replace(COMMENT, '')
    const uses =
      text.match(/\/[a-z]*\.(?:test|exec)\(|\b(?:replace|match|matchAll|split|search)\(\s*\//g) ?? []
    const found = expressions.filter((expression) => expression.file === file)
    assert.ok(found.length >= uses.length, `${file}: ${found.length} of ${uses.length}`)
    // Characters that are written in the file itself.
    if (file !== 'src/search-key.ts') assert.doesNotMatch(text, /\bRegExp\(/, file)
  }
})
