// `npm run release`: what its folder holds without the images, that two builds give the same packages, and what it refuses.
// test/image/release.test.ts installs from it.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { pythonLacks } from '../../scripts/release/packages.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { needs, skipUnless } from '../support/needs.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const { version, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
  dependencies: Record<string, string>
}
const lacking = await pythonLacks()
const needsPython = skipUnless(lacking.length === 0, lacking.join())
const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()

async function release(environment: Record<string, string> = {}) {
  const into = temporaryDirectory()
  const args = ['scripts/release.ts', into, '--despite-changes', '--without-images']
  await run(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...environment } })
  return into
}

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

test('two builds of a commit have the same packages, and the checksums are signed with the key that is given', {
  ...needsPython,
  ...needs('ssh-keygen'),
}, async () => {
  const keys = temporaryDirectory()
  const key = join(keys, 'key')
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'release@rounds.example', '-f', key])
  const [one, other] = await Promise.all([release(), release({ RELEASE_SIGNING_KEY: key })])
  const packages = [
    'NOTES.md',
    `rounds-${version}.cdx.json`,
    `rounds-${version}.tgz`,
    `rounds-client-${version}.tar.gz`,
    `rounds-client-${version}.tgz`,
    `rounds_client-${version}-py3-none-any.whl`,
  ]
  const statement = `rounds-${version}.provenance.json`
  assert.deepEqual(readdirSync(one).toSorted(), ['SHA256SUMS', ...packages, statement].toSorted())
  for (const file of packages) assert.equal(sha256(join(one, file)), sha256(join(other, file)), file)

  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: one })
  mustNameItsOrigin(join(one, statement), packages)
  mustListWhatIsShipped(join(one, `rounds-${version}.cdx.json`))
  await mustRun(join(one, `rounds-${version}.tgz`))

  writeFileSync(join(keys, 'signers'), `release@rounds.example ${readFileSync(`${key}.pub`, 'utf8')}`)
  const verify = `ssh-keygen -Y verify -f ${keys}/signers -I release@rounds.example -n rounds-release -s SHA256SUMS.sig <SHA256SUMS`
  await run('sh', ['-c', verify], { cwd: other })
  appendFileSync(join(other, 'SHA256SUMS'), '\n')
  await assert.rejects(run('sh', ['-c', verify], { cwd: other }))
})

function mustNameItsOrigin(file: string, packages: string[]) {
  const statement = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(
    [statement._type, statement.predicateType],
    ['https://in-toto.io/Statement/v1', 'https://slsa.dev/provenance/v1'],
  )
  assert.deepEqual(
    statement.subject,
    packages.toSorted().map((name) => ({ name, digest: { sha256: sha256(join(file, '..', name)) } })),
  )
  const { buildDefinition, runDetails } = statement.predicate
  assert.match(buildDefinition.internalParameters.signature, /not signed/)
  assert.deepEqual(buildDefinition.resolvedDependencies.slice(0, 1), [
    { name: 'sources', digest: { gitCommit: head } },
  ])
  assert.match(runDetails.builder.id, /^(urn|https):/)
}

function mustListWhatIsShipped(file: string) {
  const text = readFileSync(file, 'utf8')
  assert.doesNotMatch(
    text.replace(/"\$schema": "[^"]+"/, ''),
    /https?:/,
    'an address that a package was fetched from',
  )
  const { metadata, components } = JSON.parse(text) as {
    metadata: { component: { name: string; type: string } }
    components: { name: string; version: string; licenses: unknown[]; hashes: unknown[] }[]
  }
  assert.deepEqual([metadata.component.name, metadata.component.type], ['rounds', 'application'])
  const listed = new Set(components.map((one) => `${one.name}@${one.version}`))
  for (const [name, wanted] of Object.entries(dependencies)) assert.ok(listed.has(`${name}@${wanted}`), name)
  // What the console is built from is a tool to npm, and yet it is shipped.
  const names = new Set(components.map((one) => one.name))
  for (const name of ['preact', 'oidc-client-ts', 'jwt-decode']) assert.ok(names.has(name), name)
  for (const tool of ['fast-check', 'knip']) assert.equal(names.has(tool), false, tool)
  for (const { name, licenses, hashes } of components)
    assert.ok(licenses.length > 0 && hashes.length > 0, name)
}

/** Below node_modules, as npm installs it: there, Node runs JavaScript only. */
async function mustRun(file: string) {
  const dir = temporaryDirectory()
  await run('tar', ['-xzf', file, '-C', dir])
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  const { stdout } = await run(process.execPath, [join(dir, 'package/src/cli.js'), '--version'])
  assert.equal(stdout, `rounds ${version} (commit ${head.slice(0, 7)})\n`)
  const packed = readdirSync(join(dir, 'package'), { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    packed.filter((path) => /\.ts$|\.map$|node_modules|^tools|(^|\/)test(\/|$)|\.test\./.test(path)),
    [],
  )
  const locked = JSON.parse(readFileSync(join(dir, 'package/npm-shrinkwrap.json'), 'utf8'))
  assert.ok(locked.packages['node_modules/fastify'] && !locked.packages['node_modules/knip'])
}

test('it refuses changes that are not committed, a version that CHANGELOG.md lacks, and clients of another version', async () => {
  const dir = temporaryDirectory()
  const files = [
    'scripts',
    'package.json',
    'CHANGELOG.md',
    'test/image',
    'test/support/needs.ts',
    'tools/dev/find-program.ts',
  ]
  const clients = ['typescript/package.json', 'python/pyproject.toml', 'python/rounds_client/__init__.py']
  for (const file of [...files, ...clients.map((client) => `clients/${client}`)])
    cpSync(join(ROOT, file), join(dir, file), {
      recursive: true,
      filter: (path) => !path.endsWith('/node_modules'),
    })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@rounds.example', ...args], {
      cwd: dir,
    })
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message=Begin')
  writeFileSync(join(dir, 'CHANGELOG.md'), `# Changes\n\n## 99.0.0 (2027-01-01)\n\n- ${version} \n`)
  writeFileSync(join(dir, 'clients/typescript/package.json'), '{ "version": "98.0.0" }')
  const { stderr } = await run(process.execPath, ['scripts/release.ts', 'made'], { cwd: dir }).then(
    () => assert.fail('it was released'),
    (error: { stderr: string }) => error,
  )
  const sentences = [
    /^The tree has changes/m,
    new RegExp(`^CHANGELOG\\.md needs a section "## ${version} `, 'm'),
  ]
  for (const sentence of [...sentences, /^The version in clients\/typescript\/package\.json is not/m])
    assert.match(stderr, sentence)
  assert.equal(readdirSync(dir).includes('made'), false)
})
