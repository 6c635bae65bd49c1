// The package as others get it: built, found by its name, used as its README says, and loaded by a browser.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { fillDirectory } from '../../../test/support/directory.ts'
import { startRounds, WITH_WEBHOOKS } from '../../../test/support/harness.ts'
import { needs, programOf } from '../../../test/support/needs.ts'
import { newPatient } from '../../../test/support/patient.ts'
import { buildPackage } from './built-package.ts'

const run = promisify(execFile)
const PACKAGE = join(import.meta.dirname, '..')
const ROOT = join(PACKAGE, '../..')
const TSC = join(ROOT, 'node_modules/.bin/tsc')
// TypeScript 5, which makes the types of the API: later ones have given up "node10".
const TYPES_TOOL = join(ROOT, 'scripts/openapi-types')
const OLDER_TSC = join(TYPES_TOOL, 'node_modules/typescript/bin/tsc')

const { app, origin } = await buildPackage()
const rounds = await startRounds({ ...WITH_WEBHOOKS, CORS_ORIGINS: origin })
await fillDirectory(rounds.ownerUrl, {
  specialities: [{ title: 'Cardiology' }],
  doctors: [{ name: 'Dr. Invented Willow', specialities: ['Cardiology'], city: 'Pune' }],
})

// What the examples take for granted in the app of their reader.
const YOURS = `
declare const patientUid: string
declare const report: (error: Error) => void
declare const session: { accessToken: () => string; refresh: () => Promise<string>; serviceToken: () => string }
declare const view: { signal: AbortSignal }
declare const exchangeToken: (patientUid: string) => Promise<{ access_token: string; expires_in: number }>
`

async function examplesIn(folder: string): Promise<string> {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code).join('\n')
}

test('the examples of the READMEs pass the compiler, and those of the package do what they say', async () => {
  const { patientUid, stored } = await newPatient(rounds)
  const token = await rounds.token({ patientUid, scope: 'webhooks:manage' })
  const serviceToken = await rounds.token({ scope: 'readings:changes' })
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code).join('\n')
  const program = examples
    .replaceAll('https://rounds.example', rounds.url)
    .replaceAll('patient-1', patientUid)
  await writeFile(join(app, 'yours.d.ts'), YOURS)
  await writeFile(join(app, 'package.json'), '{"type":"module"}')
  await writeFile(join(app, 'readme.ts'), program)
  await writeFile(join(app, 'root-readme.ts'), await examplesIn(ROOT))
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022']
  const types = ['--module', 'nodenext', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  await run(TSC, [...strict, ...types, 'readme.ts', 'root-readme.ts', 'yours.d.ts'], { cwd: app })

  const surroundings = `
    globalThis.session = { accessToken: () => 'expired', refresh: async () => '${token}', serviceToken: () => '${serviceToken}' }
    globalThis.exchangeToken = async () => ({ access_token: '${token}', expires_in: 600 })
    globalThis.view = { signal: new AbortController().signal }
    await import('./readme.ts')`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', surroundings], { cwd: app })
  assert.match(stdout, /^Dr\. Invented Willow$/m)
  assert.match(stdout, /^\S+Z symptom$/m)
  assert.match(stdout, /^InvalidRange 400 false /m)
  assert.match(stdout, /^whsec_\S+ \{/m)
  assert.deepEqual(
    (await stored()).map(({ readingType }) => readingType),
    ['symptom', 'heartRate', 'heartRate'],
  )
})

test('a browser loads it and reads, adds and flushes from another origin', needs('chromium'), async () => {
  const { patientUid, token, stored } = await newPatient(rounds)
  const browser = await chromium.launch({ executablePath: programOf('chromium'), args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(origin)
    const found: unknown = await page.evaluate(`(async () => {
      const { createRoundsClient, createReadingQueue } = await import('/client.js')
      const client = createRoundsClient({ url: '${rounds.url}', token: async () => '${token}' })
      const names = []
      for await (const { name } of client.eachDoctor()) names.push(name)
      const queue = createReadingQueue({ client, onRefused: (_reading, error) => { throw error } })
      await queue.add({ patientUid: '${patientUid}', readingType: 'acme.step', timestamp: 1763000000000 })
      const flushed = await queue.flush()
      const { requestId } = await client.getReadings({ from: 2, to: 1 }).catch((error) => error)
      return { names, flushed, requestId: typeof requestId }
    })()`)
    assert.deepEqual(found, {
      names: ['Dr. Invented Willow'],
      flushed: { sent: 1, refused: 0 },
      requestId: 'string',
    })
    assert.equal((await stored()).length, 1)
  } finally {
    await browser.close()
  }
})

test('packed and installed as the README says, it type-checks a small app and runs in plain JavaScript', async () => {
  const { patientUid, token, stored } = await newPatient(rounds)
  const [pack = '', install = ''] = await commandsIn(PACKAGE)
  assert.match(pack, /npm pack$/)
  const fresh = await mkdtemp(join(tmpdir(), 'rounds-install-'))
  after(() => rm(fresh, { recursive: true }))
  const environment = { ...process.env, npm_config_pack_destination: fresh, npm_config_loglevel: 'error' }
  await run('sh', ['-euc', pack], { cwd: ROOT, env: environment })
  await writeFile(join(fresh, 'package.json'), '{"type":"module","private":true}')
  // Nothing may be fetched: the package has no dependencies.
  const offline = { ...environment, npm_config_offline: 'true', npm_config_audit: 'false' }
  await run('sh', ['-euc', install], { cwd: fresh, env: offline })
  const program = `
    import { createReadingQueue, createRoundsClient, flushWhenOnline, memoryStorage } from '@rounds/client'
    import { fileStorage } from '@rounds/client/file-storage'
    import { previewImport } from '@rounds/client/import'
    import { indexedDbStorage } from '@rounds/client/indexeddb-storage'
    import { keyValueStorage } from '@rounds/client/key-value-storage'
    const line = new Blob(['{"readingType":"acme.step","timestamp":1}'])
    const { format } = await previewImport({ name: 'x', size: line.size, stream: () => line.stream() }, { patientUid: 'x' })
    if (format !== 'rounds-ndjson') throw new Error(format)
    const client = createRoundsClient({ url: '${rounds.url}', token: '${token}' })
    const queue = createReadingQueue({ client, onRefused: (_reading, error) => { throw error } })
    await queue.add({ patientUid: '${patientUid}', readingType: 'acme.step', timestamp: 1763000000 })
    const { sent } = await queue.flush()
    console.log(sent, [memoryStorage, fileStorage, indexedDbStorage, keyValueStorage, flushWhenOnline].length)`
  await writeFile(join(fresh, 'app.ts'), program)
  await writeFile(join(fresh, 'app.js'), program)
  const strict = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext']
  await run(TSC, [...strict, '--types', '', 'app.ts'], { cwd: fresh })
  const { stdout } = await run(process.execPath, ['app.js'], { cwd: fresh })
  assert.equal(stdout, '1 5\n')
  assert.equal((await stored()).length, 1)
})

test('packed and installed, CommonJS requires it, and a TypeScript that knows no "exports" finds its types', async () => {
  if (!existsSync(OLDER_TSC)) await run('npm', ['ci', '--prefix', TYPES_TOOL, '--ignore-scripts'])
  const fresh = await mkdtemp(join(tmpdir(), 'rounds-commonjs-'))
  after(() => rm(fresh, { recursive: true }))
  const environment = { ...process.env, npm_config_loglevel: 'error', npm_config_offline: 'true' }
  await run('npm', ['pack', `--pack-destination=${fresh}`], { cwd: PACKAGE, env: environment })
  await writeFile(join(fresh, 'package.json'), '{"private":true}')
  const install = [
    'install',
    '--no-audit',
    `./${(await readdir(fresh)).find((name) => name.endsWith('.tgz'))}`,
  ]
  await run('npm', install, { cwd: fresh, env: environment })
  const names = `
    import { createReadingQueue, createRoundsClient, isOfType, RoundsError, type StoredReading } from '@rounds/client'
    import { fileStorage } from '@rounds/client/file-storage'
    import { importReadings, type ImportPreview } from '@rounds/client/import'
    import { indexedDbStorage } from '@rounds/client/indexeddb-storage'
    import { keyValueStorage } from '@rounds/client/key-value-storage'
    export const formatOf = (preview: ImportPreview): string => preview.format
    const client = createRoundsClient({ url: 'http://localhost', token: 'x' })
    const onRefused = (_: unknown, error: RoundsError) => { throw error }
    export const queue = createReadingQueue({ client, onRefused })
    export const valueOf = (reading: StoredReading): number | string =>
      isOfType(reading, 'heartRate') ? reading.value : reading.readingId
    console.log([fileStorage, importReadings, indexedDbStorage, keyValueStorage, RoundsError].map((one) => typeof one).join())`
  await writeFile(join(fresh, 'app.ts'), names)
  // Node itself would accept modules here; Jest and older versions do not.
  const older = ['--no-experimental-require-module', 'app.js']
  for (const module of [
    'commonjs --moduleResolution node10',
    'node16',
    'esnext --moduleResolution bundler',
  ]) {
    const options = `--strict --target es2022 --lib es2022,dom --module ${module}`.split(' ')
    await run(process.execPath, [OLDER_TSC, ...options, 'app.ts'], { cwd: fresh })
    if (module.startsWith('esnext')) continue
    const { stdout } = await run(process.execPath, older, { cwd: fresh })
    assert.equal(stdout, 'function,function,function,function,function\n', module)
  }
})

async function commandsIn(folder: string): Promise<string[]> {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  return [...readme.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command = '']) => command)
}
