// The packages of a release: the service and the client for npm, the client for Python. npm writes no time and no user into a
// package, so two builds of one commit have the same bytes; build-python.py sees to it for Python.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runIn, type Sources } from './sources.ts'

/** Debian's is named in CI: another Python of the machine may lack setuptools. */
const PYTHON = process.env['PYTHON3'] ?? 'python3'

export async function buildPackages(sources: Sources, into: string) {
  await npmPack(join(sources.dir, 'clients/typescript'), into)
  await npmPack(await layOutService(sources), into)
  await runIn(
    join(sources.dir, 'clients/python'),
    [PYTHON, join(import.meta.dirname, 'build-python.py'), into],
    {
      SOURCE_DATE_EPOCH: String(sources.committedAt),
    },
  )
}

/** One sentence where this machine cannot build the package for Python. */
export async function pythonLacks(): Promise<string[]> {
  const has = await runIn('.', [PYTHON, '-c', 'import setuptools, wheel']).then(
    () => true,
    () => false,
  )
  return has ? [] : [`${PYTHON} needs setuptools and wheel (Debian: python3-setuptools, python3-wheel).`]
}

const npmPack = (dir: string, into: string) =>
  runIn(dir, ['npm', 'pack', '--silent', `--pack-destination=${into}`])

type Manifest = Record<string, unknown> & { dependencies: Record<string, string> }
type Lock = { packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }> }

/** As in the image, with the versions of all packages that the lock has. */
async function layOutService({ dir, revision }: Sources): Promise<string> {
  const to = join(dir, 'service')
  await mkdir(to)
  for (const file of ['LICENSE', 'NOTICE', 'CHANGELOG.md', 'migrations'])
    await cp(join(dir, file), join(to, file), { recursive: true })
  await cp(join(dir, 'dist/src'), join(to, 'src'), { recursive: true })
  // For `rounds import`.
  await cp(join(dir, 'dist/clients'), join(to, 'clients'), { recursive: true })
  await cp(join(dir, 'dist/console'), join(to, 'dist/console'), { recursive: true })
  await writeFile(join(to, 'commit.txt'), `${revision}\n`)
  const readJson = async (file: string) => JSON.parse(await readFile(join(dir, file), 'utf8')) as unknown
  const {
    scripts: _scripts,
    devDependencies: _tools,
    optionalDependencies: _optional,
    overrides: _overrides,
    ...manifest
  } = (await readJson('package.json')) as Manifest
  const shipped = { ...manifest, bin: { rounds: 'src/cli.js' } }
  const lock = (await readJson('package-lock.json')) as Lock
  const packages = Object.entries(lock.packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional,
  )
  const { name, version, license, dependencies, engines } = manifest
  const root = { name, version, license, dependencies, bin: shipped.bin, engines }
  const locked = { ...lock, packages: { '': root, ...Object.fromEntries(packages) } }
  await writeFile(join(to, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`)
  await writeFile(join(to, 'npm-shrinkwrap.json'), `${JSON.stringify(locked, null, 2)}\n`)
  return to
}
