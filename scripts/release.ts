// `npm run release [-- FOLDER]`: all files of a release in one folder, made of the commit that is checked out. With
// RELEASE_SIGNING_KEY, the file of an SSH key, the checksums are signed.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { billOfMaterials } from './release/bill-of-materials.ts'
import { buildImages } from './release/images.ts'
import { buildPackages, pythonLacks } from './release/packages.ts'
import { provenanceOf, sha256Of } from './release/provenance.ts'
import { git, packagesDiffer, runIn, type Sources, withSources } from './release/sources.ts'

const ROOT = join(import.meta.dirname, '..')
const SIGNED_AS = 'rounds-release'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** For tests: the section in CHANGELOG.md needs no date, and changes that are not committed are left out. */
    draft: { type: 'boolean', default: false },
    'without-images': { type: 'boolean', default: false },
    platform: { type: 'string', multiple: true, default: ['linux/amd64', 'linux/arm64'] },
  },
})
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string }
const into = resolve(positionals[0] ?? join(ROOT, `release/${name}-${version}`))
const notes = sectionOf(version)
const signingKey = process.env['RELEASE_SIGNING_KEY']

const obstacles = await findObstacles()
if (obstacles.length > 0) {
  process.stderr.write(`${obstacles.join('\n')}\n`)
  process.exitCode = 1
} else {
  process.umask(0o022)
  await rm(into, { recursive: true, force: true })
  await mkdir(into, { recursive: true })
  await withSources(release).catch(async (error: unknown) => {
    await rm(into, { recursive: true })
    throw error
  })
}

/** Everything that must be put right first. */
async function findObstacles(): Promise<string[]> {
  const isChanged = !options.draft && (await git('status', '--porcelain')) !== ''
  const versions = {
    'clients/typescript/package.json': /"version": "([^"]+)"/,
    'clients/python/pyproject.toml': /^version = "([^"]+)"/m,
    'clients/python/rounds_client/__init__.py': /^__version__ = "([^"]+)"/m,
  }
  const others = Object.entries(versions).filter(
    ([file, pattern]) => pattern.exec(read(file))?.[1] !== version,
  )
  return [
    ...(isChanged ? ['The tree has changes that are not committed: commit them, or put them aside.'] : []),
    ...(notes === ''
      ? [`CHANGELOG.md needs a section "## ${version} (YYYY-MM-DD)" that says what is new.`]
      : []),
    ...((await isReplaceable())
      ? []
      : [`${into} holds other files than a release. Name a folder that is empty, or not there.`]),
    ...others.map(([file]) => `The version in ${file} is not ${version}, which package.json has.`),
    ...(await packagesDiffer()),
    ...(await pythonLacks()),
  ]
}

/** What is in the folder is deleted: it must be an earlier release and nothing else. */
async function isReplaceable(): Promise<boolean> {
  if (!existsSync(into)) return true
  const files = await readdir(into)
  const sums = files.includes('SHA256SUMS') ? readFileSync(join(into, 'SHA256SUMS'), 'utf8') : ''
  const released = sums.split('\n').map((line) => line.slice('  '.length + 64))
  return files.every((file) => ['SHA256SUMS', 'SHA256SUMS.sig', ...released].includes(file))
}

/** The text below the heading of a version in CHANGELOG.md, without links that lead nowhere outside of the sources. */
function sectionOf(wanted: string): string {
  const text = read('CHANGELOG.md').replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')
  const sections = text.split(/^## /m)
  const heading = options.draft ? /^\S+ / : /^\S+ \(\d{4}-\d\d-\d\d\)\n/
  return (sections.find((section) => section.startsWith(`${wanted} `) && heading.test(section)) ?? '')
    .split('\n')
    .slice(1)
    .join('\n')
    .trim()
}

async function release(sources: Sources) {
  const startedAt = new Date()
  await buildPackages(sources, into)
  await writeFile(join(into, `${name}-${version}.cdx.json`), await billOfMaterials(sources, name, version))
  await writeFile(
    join(into, 'NOTES.md'),
    `${options.draft ? 'This is a draft, and no release.\n\n' : ''}${notes}\n`,
  )
  const images = options['without-images']
    ? undefined
    : await buildImages(sources, { into, tag: `${name}:${version}`, platforms: options.platform })
  const files = (await readdir(into)).toSorted()
  const built = {
    into,
    files,
    version,
    startedAt,
    nodeImage: images?.nodeImage,
    isDraft: options.draft,
    isSigned: signingKey !== undefined,
  }
  await writeFile(join(into, `${name}-${version}.provenance.json`), await provenanceOf(sources, built))
  await writeFile(join(into, 'SHA256SUMS'), await checksums())
  if (signingKey)
    await runIn(into, ['ssh-keygen', '-q', '-Y', 'sign', '-f', signingKey, '-n', SIGNED_AS, 'SHA256SUMS'])
  // An engine of our own has another Node than the official image.
  const base = images ? [`The images are built on ${images.nodeImage}.`] : []
  const leftOut = [
    ...(images ? images.leftOut : ['the images: --without-images was given']),
    ...(signingKey ? [] : ['a signature: RELEASE_SIGNING_KEY names no key']),
  ]
  process.stdout.write(await summary(sources, [...base, ...leftOut.map((what) => `Left out: ${what}.`)]))
}

async function checksums(): Promise<string> {
  const lines = (await readdir(into))
    .toSorted()
    .map(async (file) => `${await sha256Of(join(into, file))}  ${file}\n`)
  return (await Promise.all(lines)).join('')
}

async function summary({ revision }: Sources, remarks: string[]): Promise<string> {
  const sizes = (await readdir(into)).toSorted().map(async (file) => {
    const { size } = await stat(join(into, file))
    return `${(size / 1e6).toFixed(2).padStart(8)} MB  ${file}\n`
  })
  return [
    `${name} ${version} (commit ${revision.slice(0, 7)}) in ${into}\n`,
    ...(await Promise.all(sizes)),
    ...remarks.map((remark) => `${remark}\n`),
  ].join('')
}
