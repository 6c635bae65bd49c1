// All documents: links and names lead somewhere.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

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
/** The lines outside frames. */
const linesOf = (file: string) => {
  let isFramed = false
  return textOf(file)
    .split('\n')
    .filter((line) => {
      const isFence = /^\s*```/.test(line)
      if (isFence) isFramed = !isFramed
      return !isFence && !isFramed
    })
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>()
  for (const line of linesOf(file)) {
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
    const text = linesOf(file).join('\n')
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
