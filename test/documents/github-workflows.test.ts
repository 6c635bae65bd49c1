// The workflows of GitHub Actions: GitHub's own parser reads them, and their scripts run here as far as they need no engine.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { needs } from '../support/needs.ts'

// The parser imports JSON without the attribute that Node asks for.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { NoOperationTraceWriter, convertWorkflowTemplate, parseWorkflow } = await import(
  '@actions/workflow-parser'
)

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = '.github/workflows'
const RELEASE = `${FOLDER}/release.yml`
/** Each owner is trusted with what a job may do; another one is a decision. */
const TRUSTED = /^(actions|docker)\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
/** Who may write, and what. Every other job reads. */
const MAY_WRITE: Record<string, string[]> = {
  'release.yml image': ['attestations', 'id-token', 'packages'],
  'release.yml publish': ['attestations', 'contents', 'id-token'],
}

type Step = {
  name?: string
  run?: string
  uses?: string
  with?: Record<string, unknown>
  env?: Record<string, string>
}
type Job = {
  uses?: string
  steps?: Step[]
  'timeout-minutes'?: number
  permissions?: Record<string, string>
}
type Workflow = {
  permissions?: Record<string, string>
  concurrency?: { group: string }
  jobs: Record<string, Job>
}

const files = readdirSync(join(ROOT, FOLDER)).map((name) => {
  const content = readFileSync(join(ROOT, FOLDER, name), 'utf8')
  return { name, content, workflow: parse(content) as Workflow }
})
const jobs = files.flatMap(({ name, workflow }) =>
  Object.entries(workflow.jobs).map(([id, job]) => ({ id: `${name} ${id}`, job, workflow })),
)
const steps = jobs.flatMap(({ id, job }) => (job.steps ?? []).map((step) => ({ id, step })))
const scripts = steps.flatMap(({ id, step }) => (step.run === undefined ? [] : [{ id, run: step.run }]))

async function errorsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow(
    { name: `${FOLDER}/${name}`, content },
    new NoOperationTraceWriter(),
  )
  if (value) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

test('GitHub’s own parser finds no fault in any workflow', async () => {
  assert.deepEqual(files.map(({ name }) => name).toSorted(), ['checks.yml', 'nightly.yml', 'release.yml'])
  for (const { name, content } of files) assert.deepEqual(await errorsOf(name, content), [], name)
})

test('every action is pinned to a commit of an owner we trust, with its version beside it', () => {
  const used = files.flatMap(({ content }) =>
    [...content.matchAll(/uses: (.*)$/gm)].map(([, uses = '']) => uses),
  )
  assert.ok(used.length > 10)
  for (const uses of used.filter((one) => !one.startsWith('./'))) assert.match(uses, TRUSTED)
  // The same action is the same commit everywhere.
  assert.equal(new Set(used).size, new Set(used.map((uses) => uses.split('@')[0])).size)
  for (const uses of used.filter((one) => one.startsWith('./')))
    assert.ok(statSync(join(ROOT, uses)).isFile())
})

test('every job ends in time and may do no more than it needs', () => {
  for (const { id, job, workflow } of jobs) {
    if (job.uses === undefined) assert.ok((job['timeout-minutes'] ?? 0) > 0, `${id} has no timeout`)
    const permissions = job.permissions ?? workflow.permissions
    assert.ok(permissions, `${id} has the repository’s default permissions`)
    const written = Object.keys(permissions).filter((name) => permissions[name] !== 'read')
    assert.deepEqual(written.toSorted(), MAY_WRITE[id] ?? [], id)
  }
  for (const { name, workflow } of files) assert.ok(workflow.concurrency?.group, name)
  for (const { id, step } of steps.filter(({ step: { uses } }) => uses?.startsWith('actions/checkout@')))
    assert.equal(step.with?.['persist-credentials'], false, id)
})

test('no secret is used but GitHub’s own token, and no script is built from an expression', () => {
  for (const { name, content } of files) {
    const secrets = [...content.matchAll(/secrets\.(\w+)/g)].map(([, secret]) => secret)
    assert.ok(
      secrets.every((secret) => secret === 'GITHUB_TOKEN'),
      name,
    )
    assert.doesNotMatch(content, /pull_request_target|workflow_run|secrets: inherit/)
  }
  // A tag or a branch may be named `$(…)`: it comes in as a variable, never as a part of the script.
  for (const { id, run } of scripts) assert.doesNotMatch(run, /\$\{\{/, id)
})

test('every script is valid Bash and calls what is there', needs('bash'), () => {
  const { scripts: known } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  assert.ok(scripts.length > 5)
  for (const { id, run } of scripts) {
    execFileSync('bash', ['-n'], { input: run })
    for (const [, name = ''] of run.matchAll(/npm run (?:-\S+ )*([\w:]+)/g))
      assert.ok(known[name], `${id}: ${name}`)
    for (const [path] of run.matchAll(/^\.ci\/\w+/g)) assert.ok(statSync(join(ROOT, path)).mode & 0o100, path)
  }
})

const dir = mkdtempSync(join(tmpdir(), 'rounds-workflow-'))
after(() => rmSync(dir, { recursive: true }))
const version = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

/** Runs the script of a step of the release as GitHub does, in a directory with our package.json and this CHANGELOG.md. */
async function runStep(name: RegExp, changes: string, environment: Record<string, string>) {
  copyFileSync(join(ROOT, 'package.json'), join(dir, 'package.json'))
  writeFileSync(join(dir, 'CHANGELOG.md'), changes)
  writeFileSync(join(dir, 'output'), '')
  const found = steps.filter(({ id, step }) => id.startsWith('release.yml') && name.test(step.name ?? ''))
  assert.equal(found.length, 1, `${RELEASE} has no step ${name}`)
  const env = { PATH: process.env['PATH'], GITHUB_OUTPUT: join(dir, 'output'), ...environment }
  const script = found[0]?.step.run ?? ''
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]
  await promisify(execFile)('bash', shell, { cwd: dir, env })
  return readFileSync(join(dir, 'output'), 'utf8')
}

const released = `# Changes\n\n## 99.0.0 (later)\n\nLater.\n\n## ${version} (2027-01-01)\n\n- New.\n\n## 0.0.1 (before)\n\nOld.\n`

test(
  'a release names its version and image, and refuses a tag, a change log or a registry that is not ready',
  needs('bash'),
  async () => {
    const ready = {
      GITHUB_REF_NAME: `v${version}`,
      GITHUB_REPOSITORY: 'Some/Rounds',
      REGISTRY: 'images.example',
    }
    assert.equal(
      await runStep(/^Compare the tag/, released, ready),
      `version=${version}\nimage=images.example/some/rounds\n`,
    )
    const unready: [string, Record<string, string>, RegExp][] = [
      [released, { GITHUB_REF_NAME: 'v98.0.0' }, /package\.json says/],
      [released, { REGISTRY: '' }, /IMAGE_REGISTRY/],
      [released.replace('2027-01-01', 'not released yet'), {}, /needs a section/],
      ['# Changes\n', {}, /needs a section/],
    ]
    for (const [changes, environment, message] of unready)
      await assert.rejects(runStep(/^Compare the tag/, changes, { ...ready, ...environment }), message)
  },
)
