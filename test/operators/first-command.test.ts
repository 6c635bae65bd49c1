// What a newcomer meets first: `npx rounds` on whatever Node there is.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { accessSync, constants, cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { commit } from '../../src/config/version.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { runProgram } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')
const BIN = 'bin/rounds.js'
const source = readFileSync(join(ROOT, BIN), 'utf8')
const { version, engines, bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
  engines: { node: string }
  bin: Record<string, string>
}

const sentenceFor = (node: string) =>
  `Rounds needs Node 24 or later, and this is Node ${node}: get it from https://nodejs.org/en/download, or run ". scripts/use-node.sh" on Linux.\n`

/** Other Nodes of this machine that are older than the one that runs the tests. */
function olderNodes(): { path: string; node: string }[] {
  const paths = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return [...new Set(paths)]
    .map((dir) => join(dir, 'node'))
    .filter(isExecutable)
    .map((path) => ({ path, node: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1) }))
    .filter(({ node }) => Number(node.split('.')[0]) < 24)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

test('an older Node is answered with one sentence that says which is needed and how to get it', async () => {
  assert.deepEqual([bin['rounds'], engines.node], [BIN, '>=24'])
  for (const node of ['12.22.0', '18.20.4', '20.20.2', '22.22.0', '23.11.1']) {
    let said = ''
    const process = {
      versions: { node },
      exitCode: 0,
      stderr: { write: (text: string) => (said += text) },
    }
    runInNewContext(source, { process })
    assert.deepEqual([said, process.exitCode], [sentenceFor(node), 1])
  }
  for (const { path, node } of olderNodes()) {
    const { ended } = runProgram(path, [BIN, 'dev'], { NODE_OPTIONS: '' })
    assert.deepEqual(await ended, { code: 1, output: sentenceFor(node) })
  }
})

test('whoever follows a document, the help or a unit runs the program that an older Node can read', async () => {
  // An older Node refuses src/cli.ts for its extension, with a stack, before it reads a line of it.
  const files = execFileSync('git', ['ls-files', 'README.md', 'docs', 'deploy', 'compose.yaml'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const texts = files
    .trim()
    .split('\n')
    .filter((file) => /\.(md|service|ya?ml|mjs|sh)$/.test(file))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const)
  assert.ok(texts.some(([, text]) => text.includes(`node ${BIN} migrate`)))
  const { output } = await runProgram(process.execPath, [BIN, 'serve', '--help'], {}).ended
  for (const [file, text] of [...texts, ['serve --help', output] as const])
    assert.doesNotMatch(text, /\b(node|mjs) src\/cli\.ts/, file)
})

test('the Node that is needed goes on with the command, whose arguments, output and exit code are its own', async () => {
  const run = (args: string[]) => runProgram(process.execPath, [BIN, ...args], {}).ended
  assert.deepEqual(await run(['--version']), { code: 0, output: `rounds ${version} (commit ${commit()})\n` })
  assert.match((await run(['dev', '--help'])).output, /^rounds dev /)
  assert.deepEqual(await run(['sevre']), {
    code: 1,
    output: 'There is no command "sevre". "rounds --help" lists them.\n',
  })
})

test('the commit is that of the build, or of the checkout, which says that it was changed, and never that of a folder around it', async () => {
  const outer = temporaryDirectory()
  const dir = join(outer, 'rounds')
  for (const name of ['bin', 'src', 'tools', 'clients', 'package.json'])
    cpSync(join(ROOT, name), join(dir, name), {
      recursive: true,
      filter: (path) => !/\/(test|dist|node_modules)$/.test(path),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  const run = async () => (await runProgram(process.execPath, [join(dir, BIN), '--version'], {}).ended).output
  const printed = (text: string) => `rounds ${version} (commit ${text})\n`
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@rounds.example', ...args], {
      cwd,
      encoding: 'utf8',
    }).trim()
  const commitAll = (cwd: string) => {
    git(cwd, 'init', '--quiet')
    git(cwd, 'add', '--all')
    git(cwd, 'commit', '--quiet', '--message=Begin')
    return git(cwd, 'rev-parse', 'HEAD')
  }
  commitAll(outer)
  assert.equal(await run(), printed('unknown'))

  const head = commitAll(dir)
  assert.equal(await run(), printed(head.slice(0, 7)))
  writeFileSync(join(dir, 'src/new.ts'), '')
  assert.equal(await run(), printed(`${head.slice(0, 7)}, changed`))

  rmSync(join(dir, '.git'), { recursive: true })
  writeFileSync(join(dir, 'commit.txt'), `0123abc${head.slice(7)}, changed\n`)
  assert.equal(await run(), printed('0123abc, changed'))
})
