// The last step of `npm run release`, after the checks and the build: the client as a package, a list of everything that
// the server brings along (a software bill of materials in CycloneDX), and the checksums of both.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')
const into = resolve(process.argv[2] ?? join(root, 'dist/release'))
const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  name: string
  version: string
}

await rm(into, { recursive: true, force: true })
await mkdir(into, { recursive: true })
await npm(['pack', '--silent', `--pack-destination=${into}`], join(root, 'clients/typescript'))
await writeFile(join(into, `${name}-${version}.cdx.json`), await billOfMaterials())
await writeFile(join(into, 'SHA256SUMS'), await checksums())
process.stdout.write(`${into}\n`)

async function npm(args: string[], cwd = root): Promise<string> {
  return (await promisify(execFile)('npm', args, { cwd, maxBuffer: 64 * 1_024 * 1_024 })).stdout
}

type Bill = {
  metadata: { component: { name: string } }
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** What the image holds, and what is part of the console that it serves. npm's own `--omit=dev` also leaves out what we and a tool both use, so the lock says what to keep. */
async function billOfMaterials(): Promise<string> {
  const bill = JSON.parse(await npm(['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'])) as Bill
  const shipped = await shippedPackages()
  const isShipped = (ref: string) => shipped.has(ref) || ref === `${name}@${version}`
  // npm takes the name of the folder.
  bill.metadata.component.name = name
  bill.components = bill.components.filter((component) => isShipped(component['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }))
  return `${JSON.stringify(bill, null, 2)}\n`
}

async function shippedPackages(): Promise<Set<string>> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  const ours = Object.entries(lock.packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional,
  )
  const installed = ours.map(([path, entry]) => `${path.split('node_modules/').at(-1)}@${entry.version}`)
  const bundled = JSON.parse(await readFile(join(root, 'dist/console/licences.json'), 'utf8')) as {
    name: string
    version: string
  }[]
  return new Set([...installed, ...bundled.map((one) => `${one.name}@${one.version}`)])
}

async function checksums(): Promise<string> {
  const lines = (await readdir(into)).toSorted().map(async (file) => {
    const sum = createHash('sha256').update(await readFile(join(into, file)))
    return `${sum.digest('hex')}  ${file}\n`
  })
  return (await Promise.all(lines)).join('')
}
