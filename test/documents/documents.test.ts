// All documents: lines that fit a screen, links that lead somewhere, the field's words, decisions in one form,
// and a tour that ends.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const DECISIONS = 'docs/decisions'
const MAX_PROSE = 120
const MAX_ROW = 160

const inFolder = (folder: string, isDeep: boolean) =>
  readdirSync(join(ROOT, folder), { recursive: isDeep, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => join(folder, file))
const files = [
  ...inFolder('.', false),
  ...['docs', 'deploy', 'clients', '.github', 'samples'].flatMap((folder) => inFolder(folder, true)),
]
/** What was released is left as it was written. */
const HISTORY = 'CHANGELOG.md'
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
/** The lines outside frames, with their numbers. */
const linesOf = (file: string) => {
  let isFramed = false
  return textOf(file)
    .split('\n')
    .flatMap((line, index) => {
      const isFence = /^\s*```/.test(line)
      if (isFence) isFramed = !isFramed
      return isFence || isFramed ? [] : [{ line, where: `${file}:${index + 1}` }]
    })
}
/** The client's README is a document of its own package. */
const CLIENT = 'clients/typescript/README.md'
const lines = files.filter((file) => file !== HISTORY && file !== CLIENT).flatMap(linesOf)
const isRow = (line: string) => /^\s*\|/.test(line)

test('no line of prose is longer than 120 characters', () => {
  const long = lines.filter(({ line }) => !isRow(line) && line.length > MAX_PROSE)
  assert.deepEqual(
    long.map(({ where, line }) => `${where} ${line.length}`),
    [],
  )
})

test('no row of a table needs scrolling', () => {
  // Without the blanks that align its columns.
  const widthOf = (line: string) => line.replace(/ {2,}/g, ' ').replace(/-{2,}/g, '-').length
  const wide = lines.filter(({ line }) => isRow(line) && widthOf(line) > MAX_ROW)
  assert.deepEqual(
    wide.map(({ where, line }) => `${where} ${widthOf(line)}`),
    [],
  )
})

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>()
  for (const { line } of linesOf(file)) {
    const [, heading] = /^#+ (.*)$/.exec(line) ?? []
    if (heading === undefined) continue
    const plain = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    let anchor = plain
    for (let count = 1; anchors.has(anchor); count++) anchor = `${plain}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

test('every link to a file or a heading leads somewhere', () => {
  const dead = files.flatMap((file) => {
    const text = linesOf(file)
      .map(({ line }) => line)
      .join('\n')
    return [...text.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return []
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : relative(ROOT, resolve(ROOT, dirname(file), path))
      const leads =
        existsSync(join(ROOT, target)) &&
        (anchor === undefined || (target.endsWith('.md') && anchorsOf(target).has(anchor)))
      return leads ? [] : [`${file}: ${link}`]
    })
  })
  assert.deepEqual(dead, [])
})

test('every file that a document names in code is there', () => {
  const named = files
    .filter((file) => file !== HISTORY)
    .flatMap((file) =>
      [
        ...textOf(file).matchAll(/`((?:src|tools|test|bench|scripts|deploy|docs|migrations)\/[\w./-]+)`/g),
      ].map(([, path = '']) => ({ file, path })),
    )
  assert.ok(named.length > 50)
  assert.deepEqual(
    named.filter(
      ({ file, path }) => ![ROOT, join(ROOT, dirname(file))].some((dir) => existsSync(join(dir, path))),
    ),
    [],
  )
})

test('a link whose text is a name in code leads to a file that has it', () => {
  const named = files.flatMap((file) =>
    [...textOf(file).matchAll(/\[`(\w+)`\]\(([\w./-]+\.tsx?)\)/g)].map(([, name = '', path = '']) => ({
      name,
      path: join(dirname(file), path),
    })),
  )
  assert.ok(named.length > 15)
  assert.deepEqual(
    named.filter(({ name, path }) => !new RegExp(`\\b${name}\\b`).test(textOf(path))),
    [],
  )
})

test('the map of docs/architecture.md names what is in the sources', () => {
  const text = textOf('docs/architecture.md')
  const folders = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  assert.deepEqual(
    folders.map(({ name }) => name).filter((name) => !text.includes(`${name}/\``)),
    ['modules'],
  )
})

const PRIVATE_WORDS =
  /\b(door|lanes?|mend(s|ed|ing)?|(stands?|wait|waits|waiting) in line|whoever|hopeless)\b/gi

test('documents speak with the words of the field', () => {
  const found = files
    .filter((file) => file !== HISTORY)
    .flatMap((file) => {
      const text = linesOf(file).map(({ line }) => line)
      // Names of tests are quoted as they are.
      const prose = text.join('\n').replace(/“[^”]*”/g, '')
      return [...prose.matchAll(PRIVATE_WORDS)].map(([word]) => `${file}: ${word}`)
    })
  assert.deepEqual(found, [])
})

test('each decision is a short record of one form with status and date, and the index lists them all', () => {
  const records = readdirSync(join(ROOT, DECISIONS)).filter((file) => file !== 'README.md')
  const entries = records.map((file) => {
    const text = textOf(`${DECISIONS}/${file}`)
    assert.ok(text.trimEnd().split('\n').length <= 35, `${file} is too long`)
    const [, number = ''] = /^0*(\d+)-[a-z-]+\.md$/.exec(file) ?? []
    const [, title = ''] =
      new RegExp(`^# ${number}\\. (.+)\n\nStatus: accepted, \\d{4}-\\d\\d-\\d\\d`).exec(text) ?? []
    assert.notEqual(title, '', `${file} has no title or status`)
    assert.deepEqual(text.match(/^## .*$/gm), ['## Context', '## Decision', '## Consequences'], file)
    return `- [${number}. ${title}](${file})`
  })
  assert.deepEqual(textOf(`${DECISIONS}/README.md`).match(/^- .*$/gm), entries)
})

test('the tour of README is a film of 20 to 30 seconds, of at most 1.5 MB', () => {
  const film = readFileSync(join(ROOT, 'docs/tour.webp'))
  assert.equal(film.toString('latin1', 8, 12), 'WEBP')
  assert.ok(film.length <= 1_500_000, `${film.length} bytes`)
  let ms = 0
  for (let at = 12; at < film.length; ) {
    const size = film.readUInt32LE(at + 4)
    if (film.toString('latin1', at, at + 4) === 'ANMF') ms += film.readUIntLE(at + 8 + 12, 3)
    at += 8 + size + (size % 2)
  }
  assert.ok(ms >= 20_000 && ms <= 30_000, `${ms} ms`)
})
