// `npm run release`: what its folder holds without the images, that two builds give the same packages, what it refuses, and that
// SECURITY.md says how to verify it. test/image/release.test.ts installs from it.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { buildImages } from '../../scripts/release/images.ts'
import { pythonLacks } from '../../scripts/release/packages.ts'
import { PLATFORM } from '../image/builder.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { examplesOf, isAsPrinted, sectionOf } from '../support/document-examples.ts'
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
  const args = ['scripts/release.ts', into, '--draft', '--without-images']
  await run(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...environment } })
  return into
}

const [HOW_TO_VERIFY = assert.fail('no commands')] = examplesOf(
  sectionOf(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8'), 'Verify a release'),
)

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

  assert.match(readFileSync(join(one, 'NOTES.md'), 'utf8'), /^This is a draft, and no release\.\n\n\S/)

  mustNameItsOrigin(join(one, statement), packages)
  mustListWhatIsShipped(join(one, `rounds-${version}.cdx.json`))
  await mustRun(join(one, `rounds-${version}.tgz`))

  writeFileSync(join(other, 'SIGNERS'), `release@rounds.example ${readFileSync(`${key}.pub`, 'utf8')}`)
  const { script, printed } = HOW_TO_VERIFY
  const verify = () => run('sh', ['-euc', script], { cwd: other })
  const { stdout } = await verify()
  assert.ok(isAsPrinted(stdout, printed), stdout)
  assert.ok(stdout.includes(head))
  const { size } = statSync(join(other, 'NOTES.md'))
  appendFileSync(join(other, 'NOTES.md'), '\n')
  await assert.rejects(verify(), /1 computed checksum did NOT match/)
  truncateSync(join(other, 'NOTES.md'), size)
  await verify()
  appendFileSync(join(other, 'SHA256SUMS'), `${sha256(join(other, 'SIGNERS'))}  SIGNERS\n`)
  await assert.rejects(verify(), /incorrect signature/)
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
  await mustImport(dir, join(dir, 'package/src/cli.js'))
}

/** XML needs a package; to add readings without a clone needs a token. */
async function mustImport(dir: string, program: string) {
  const file = join(dir, 'export.xml')
  const record =
    '<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Invented" unit="count/min" startDate="2026-01-02 08:00:00 +0000" endDate="2026-01-02 08:00:00 +0000" value="71"/>'
  writeFileSync(file, `<?xml version="1.0"?><HealthData>${record}</HealthData>`)
  const args = [program, 'import', file, '--patient', 'invented-1']
  const { stdout } = await run(process.execPath, [...args, '--dry-run'])
  assert.match(stdout, /^ {2}heartRate +\S+ +1 {2}2026-01-02/m)
  await assert.rejects(run(process.execPath, [...args, '--yes']), {
    code: 1,
    stderr: /^Without a clone of the sources, it needs an access token in ROUNDS_TOKEN\.$/m,
  })
}

/** An engine that breaks off the image of one platform. */
const DOCKER = `#!/bin/sh
case "$1" in
  build) echo "$*" >"$0.built";;
  save) echo 'part of an image'; ! grep -q "platform $BROKEN " "$0.built";;
esac
`

test('part of an image is never released, and without the image of this machine nothing is', async (t) => {
  const bin = temporaryDirectory()
  writeFileSync(join(bin, 'docker'), DOCKER, { mode: 0o755 })
  const { PATH } = process.env
  t.after(() => Object.assign(process.env, { PATH }))
  const other = PLATFORM === 'linux/arm64' ? 'linux/amd64' : 'linux/arm64'
  const into = temporaryDirectory()
  const build = (broken: string) => {
    Object.assign(process.env, { PATH: `${bin}:${PATH}`, BROKEN: broken })
    const sources = { dir: ROOT, revision: head, committedAt: 0 }
    return buildImages(sources, { into, tag: 'rounds:0', platforms: [PLATFORM, other] })
  }
  const { leftOut } = await build(other)
  assert.deepEqual(leftOut, [`the image for ${other}: docker save rounds:0 failed.`])
  assert.deepEqual(readdirSync(into), [`rounds-0-image-${PLATFORM.replace('/', '-')}.tar.gz`])
  await assert.rejects(build(PLATFORM), {
    message: `The release lacks the image for ${PLATFORM}: docker save rounds:0 failed.`,
  })
  assert.deepEqual(readdirSync(into), [`rounds-0-image-${other.replace('/', '-')}.tar.gz`])
})

test('it refuses a tree, a section, clients, packages and a folder that are not those of a release', async () => {
  const dir = temporaryDirectory()
  const files = [
    'scripts',
    'package.json',
    'package-lock.json',
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
  writeFileSync(join(dir, 'clients/typescript/package.json'), '{ "version": "98.0.0" }')
  const installed = JSON.parse(readFileSync(join(ROOT, 'node_modules/.package-lock.json'), 'utf8'))
  installed.packages['node_modules/preact'].integrity = 'sha512-another'
  delete installed.packages['node_modules/fastify']
  mkdirSync(join(dir, 'node_modules'))
  writeFileSync(join(dir, 'node_modules/.package-lock.json'), JSON.stringify(installed))
  // A person's folder, which happens to hold the checksums of something.
  mkdirSync(join(dir, 'made'))
  writeFileSync(join(dir, 'made/SHA256SUMS'), `${'0'.repeat(64)}  listed.txt\n`)
  for (const name of ['listed.txt', 'kept.txt']) writeFileSync(join(dir, 'made', name), '')

  const refusals = async (heading: string) => {
    writeFileSync(join(dir, 'CHANGELOG.md'), `# Changes\n\n## ${heading}\n\n- ${version} \n`)
    const { stderr } = await run(process.execPath, ['scripts/release.ts', 'made'], { cwd: dir }).then(
      () => assert.fail('it was released'),
      (error: { stderr: string }) => error,
    )
    return stderr.split('\n').filter((line) => line !== '' && !lacking.includes(line))
  }
  const section = `CHANGELOG.md needs a section "## ${version} (YYYY-MM-DD)" that says what is new.`
  const others = [
    'The tree has changes that are not committed: commit them, or put them aside.',
    `${join(dir, 'made')} holds other files than a release. Name a folder that is empty, or not there.`,
    `The version in clients/typescript/package.json is not ${version}, which package.json has.`,
    'Packages are not installed as package-lock.json says (fastify, preact): run "npm ci --ignore-scripts".',
  ]
  assert.deepEqual(await refusals(`${version} (2027-01-01)`), others)
  for (const heading of ['99.0.0 (2027-01-01)', `${version} (not released yet)`])
    assert.deepEqual((await refusals(heading)).toSorted(), [section, ...others].toSorted())
  assert.deepEqual(readdirSync(join(dir, 'made')).toSorted(), ['SHA256SUMS', 'kept.txt', 'listed.txt'])
})
