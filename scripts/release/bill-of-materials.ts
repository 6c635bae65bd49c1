// A software bill of materials in CycloneDX: the packages that the image holds, and those that the console is built from.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runIn, type Sources } from './sources.ts'

type Bill = {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string } }
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** npm's own `--omit=dev` also leaves out what we and a tool both use, so the lock says what to keep. */
export async function billOfMaterials(sources: Sources, name: string, version: string): Promise<string> {
  const sbom = ['npm', 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const bill = JSON.parse(await runIn(sources.dir, sbom)) as Bill
  const shipped = await shippedPackages(sources.dir)
  const isShipped = (ref: string) => shipped.has(ref) || ref === `${name}@${version}`
  // npm takes the name of the folder, the time of the call and a random number.
  bill.metadata.component.name = name
  bill.metadata.timestamp = new Date(sources.committedAt * 1_000).toISOString()
  bill.serialNumber = uuidOf(`${name} ${version} ${sources.revision}`)
  bill.components = bill.components.filter((component) => isShipped(component['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }))
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** A UUID of version 8: bits of our own. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

async function shippedPackages(dir: string): Promise<Set<string>> {
  const lock = JSON.parse(await readFile(join(dir, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  const ours = Object.entries(lock.packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional,
  )
  const installed = ours.map(([path, entry]) => `${path.split('node_modules/').at(-1)}@${entry.version}`)
  const bundled = JSON.parse(await readFile(join(dir, 'dist/console/licences.json'), 'utf8')) as {
    name: string
    version: string
  }[]
  return new Set([...installed, ...bundled.map((one) => `${one.name}@${one.version}`)])
}
