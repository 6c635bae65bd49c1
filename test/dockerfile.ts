// Carries out a Dockerfile without a container engine: every stage is a directory that stands for the root of its file system.
// COPY obeys .dockerignore, and RUN runs in the stage's WORKDIR. Only `npm ci` is replaced, because tests must not need a
// network: packages come from our own node_modules, chosen by the same --omit.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

export type Step = { instruction: string; text: string }
type Stage = { name: string; steps: Step[] }

export function readDockerfile(): { steps: Step[]; stages: Stage[] } {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const steps = lines.map((line) => {
    const [, instruction = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    return { instruction, text }
  })
  const stages: Stage[] = []
  for (const step of steps) {
    if (step.instruction === 'FROM')
      stages.push({ name: / AS (\S+)$/.exec(step.text)?.[1] ?? 'image', steps: [] })
    else stages.at(-1)?.steps.push(step)
  }
  return { steps, stages }
}

/** The words of an instruction in JSON form: ["node", "src/cli.js"]. */
export function wordsOf({ steps }: { steps: Step[] }, instruction: string): string[] {
  const text = steps.findLast((step) => step.instruction === instruction)?.text ?? ''
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}

/** Builds every stage below `dir` and returns the directory that the last one works in. */
export function buildImage(dir: string): string {
  let workDir = ''
  for (const { name, steps } of readDockerfile().stages) {
    workDir = join(dir, name)
    for (const { instruction, text } of steps) {
      if (instruction === 'WORKDIR') mkdirSync((workDir = join(dir, name, text)), { recursive: true })
      if (instruction === 'COPY') copy(dir, workDir, text.split(/\s+/))
      if (instruction === 'RUN') run(workDir, text)
    }
  }
  return workDir
}

function copy(dir: string, workDir: string, words: string[]) {
  const from = /^--from=(.*)$/.exec(words[0] ?? '')?.[1]
  const sources = words.slice(from === undefined ? 0 : 1, -1)
  const target = join(workDir, words.at(-1) ?? '')
  const origin = from === undefined ? ROOT : join(dir, from)
  for (const source of sources) {
    const found = globSync(join(origin, source)).filter(
      (path) => from !== undefined || isInContext(relative(ROOT, path)),
    )
    if (found.length === 0) throw new Error(`COPY finds nothing at ${source}, or .dockerignore hides it.`)
    for (const path of found) {
      const isDirectory = statSync(path).isDirectory()
      cpSync(path, isDirectory ? target : join(target, basename(path)), {
        recursive: true,
        verbatimSymlinks: true,
        // Between stages everything goes; without a filter Node copies much faster.
        ...(from === undefined ? { filter: (file) => isInContext(relative(ROOT, file)) } : {}),
      })
    }
  }
}

/** Whether a file goes to the builder: the last line of .dockerignore that matches it, or a directory above it, decides. */
export function isInContext(path: string): boolean {
  const parts = path.split('/')
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const patterns = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const decisive = patterns.findLast((pattern) =>
    paths.some((candidate) => matchesGlob(withoutDots(candidate), withoutDots(pattern.replace(/^!/, '')))),
  )
  return decisive === undefined || decisive.startsWith('!')
}

// Docker's `*` also means names that begin with a dot; Node's does not.
const withoutDots = (path: string) => path.replace(/(^|\/)\./g, '$1dot-')

function run(workDir: string, command: string) {
  if (!command.startsWith('npm ci')) {
    execFileSync('sh', ['-euc', command], { cwd: workDir, stdio: 'pipe' })
    return
  }
  installPackages(workDir, command)
}

/** What `npm ci` with these options would leave, from our own node_modules. */
export function installPackages(workDir: string, command: string) {
  const omitted = command.match(/--omit=\w+/g) ?? []
  if (omitted.length === 0) symlinkSync(join(ROOT, 'node_modules'), join(workDir, 'node_modules'))
  for (const path of omitted.length > 0 ? listPackages(omitted) : []) {
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
