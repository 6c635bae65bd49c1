// What `npm ci` would install, without a network: packages of our own node_modules, chosen by the same options.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** What `npm ci` with these options would leave, from our own node_modules. */
export function installPackages(workDir: string, command: string) {
  const omitted = command.match(/--omit=\w+/g) ?? []
  for (const path of listPackages(omitted)) {
    const parent = join(workDir, dirname(path))
    mkdirSync(parent, { recursive: true })
    execFileSync('cp', ['-R', join(ROOT, path), parent])
  }
}

type Locked = { dev?: true; optional?: true; devOptional?: true }

/** The packages that `npm ci` would install, by the marks of the lock file; those within another one come with it. */
function listPackages(omitted: string[]): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const [isDevOmitted, isOptionalOmitted] = ['--omit=dev', '--omit=optional'].map((word) =>
    omitted.includes(word),
  )
  return Object.entries(packages)
    .filter(([path]) => path.lastIndexOf('node_modules') === 0)
    .filter(([, { dev, optional, devOptional }]) => {
      if (devOptional) return !(isDevOmitted && isOptionalOmitted)
      return !(dev && isDevOmitted) && !(optional && isOptionalOmitted)
    })
    .map(([path]) => path)
}
