#!/usr/bin/env node
// The commands. The only reader of argv and the environment. Each command loads what it needs when it is run: the whole
// server takes half a second, which nobody should wait for to read a help text.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readSimulation, SIMULATE_OPTIONS } from '../tools/simulate/options.ts'
import { HELP, HELP_OF } from './commands/help.ts'
import { nextSignal, stopSignal } from './commands/signals.ts'
import {
  ConfigError,
  readDatabaseUrl,
  readErasureKey,
  readServeConfig,
  readTokenSource,
} from './config/config.ts'
import { CommandError } from './refusal.ts'

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  'dry-run': { type: 'boolean' },
  check: { type: 'boolean' },
  yes: { type: 'boolean' },
  by: { type: 'string' },
  output: { type: 'string' },
  before: { type: 'string' },
  port: { type: 'string' },
  database: { type: 'boolean' },
  'refuse-until': { type: 'string' },
  rewrite: { type: 'boolean' },
  patient: { type: 'string', multiple: true },
  staff: { type: 'boolean' },
  ...SIMULATE_OPTIONS,
} as const

/** The options of each command beside --help. One that is not known must not be overlooked: it may be a misspelt --dry-run. */
const OPTIONS_OF: Record<string, string[]> = {
  migrate: ['check'],
  directory: ['dry-run'],
  patient: ['by', 'yes', 'dry-run', 'output', 'refuse-until', 'rewrite'],
  'access-log': ['by', 'yes', 'dry-run', 'before'],
  dev: ['port', 'database'],
  token: ['patient', 'staff', 'port'],
  simulate: Object.keys(SIMULATE_OPTIONS),
}

/** The container image leaves out what these need. */
const COMMANDS_OF_A_CLONE = new Set(['dev', 'token', 'simulate'])

const terminal = { input: process.stdin, output: process.stdout, errors: process.stderr }

const isBelowNpm = process.env['npm_command'] !== undefined

type Options = ReturnType<typeof readArguments>['values']

const COMMANDS: Record<string, (args: string[], options: Options) => Promise<void>> = {
  async dev(args, options) {
    mustBeEmpty('dev', args)
    const settings = {
      port: readPort(options),
      databaseUrl: options.database ? readDatabaseUrl(process.env) : undefined,
      ignoresDatabase: !options.database && Boolean(process.env['DATABASE_URL']?.trim()),
      corsOrigins: process.env['CORS_ORIGINS'],
      output: process.stdout,
      stopping: stopSignal(isBelowNpm),
    }
    const { runDev } = await import('../tools/dev/run-dev.ts')
    await runDev(settings)
  },
  async token(args, options) {
    mustBeEmpty('token', args)
    const patientUids = options.patient ?? []
    if (options.staff ? patientUids.length > 0 : patientUids.length === 0 || patientUids.includes('')) {
      throw new ConfigError(
        'Say "rounds token --patient UID", once for each patient, or "rounds token --staff".',
      )
    }
    const [{ findRunningIssuer }, { requestToken }] = await Promise.all([
      import('../tools/dev/running-issuer.ts'),
      import('../tools/dev/request-token.ts'),
    ])
    const issuer = await findRunningIssuer(readPort(options))
    say(await requestToken(issuer, options.staff ? 'staff' : { patientUids }))
  },
  async serve() {
    const { serve } = await import('./server/serve.ts')
    const config = readServeConfig(process.env)
    const { url, adminUrl, announceStop, stop } = await serve(config)
    say(`Rounds answers at ${url}, reference pages at ${url}/docs, health at ${adminUrl}/readyz.`)
    if ((await nextSignal()) === 'SIGTERM') {
      announceStop()
      await Promise.race([pause(config.stopDelayMs, undefined, { ref: false }), nextSignal()])
    }
    await stop()
  },
  async migrate(args, options) {
    mustBeEmpty('migrate', args)
    const { runMigrateCommand } = await import('./commands/migrate.ts')
    say(await runMigrateCommand(readDatabaseUrl(process.env), options.check === true))
  },
  async directory([verb, file, ...others], options) {
    if (verb !== 'import' || file === undefined || others.length > 0) {
      throw new ConfigError('Say "rounds directory import FILE", with one file.')
    }
    const databaseUrl = readDatabaseUrl(process.env)
    const isDryRun = options['dry-run'] === true
    const [{ importDirectory }, { showProgress }, { describeReport }] = await Promise.all([
      import('./modules/appointments/import/import-directory.ts'),
      import('./commands/progress.ts'),
      import('./modules/appointments/import/report.ts'),
    ])
    const progress = showProgress(process.stderr)
    const report = await importDirectory({ databaseUrl, file, isDryRun, onProgress: progress.show }).finally(
      progress.end,
    )
    say(describeReport(report, isDryRun))
  },
  async patient(args, options) {
    const { runPatientCommand } = await import('./commands/patient.ts')
    const done = await runPatientCommand(args, options, {
      databaseUrl: readDatabaseUrl(process.env),
      readKey: () => readErasureKey(process.env),
      now: Date.now(),
      ...terminal,
    })
    if (done !== '') say(done)
  },
  async 'access-log'(args, options) {
    const { runAccessLogCommand } = await import('./commands/patient.ts')
    say(await runAccessLogCommand(args, options, { databaseUrl: readDatabaseUrl(process.env), ...terminal }))
  },
  async simulate(args, options) {
    mustBeEmpty('simulate', args)
    const simulation = readSimulation(options)
    const [{ simulate }, report, { findRunningIssuer }, { requestToken }] = await Promise.all([
      import('../tools/simulate/simulate.ts'),
      import('../tools/simulate/report.ts'),
      import('../tools/dev/running-issuer.ts'),
      import('../tools/dev/request-token.ts'),
    ])
    const { port } = new URL(simulation.url)
    const issuer = process.env['AUTH_ISSUER']
      ? readTokenSource(process.env)
      : await findRunningIssuer(Number(port))
    const done = await simulate(simulation, {
      requestToken: (patientUid) => requestToken(issuer, { patientUids: [patientUid] }),
      progress: process.stderr,
      stopping: stopSignal(isBelowNpm),
    })
    say(report.describeReport(done))
    if (done.end !== 'proven') process.exitCode = 1
  },
}

async function main(argv: string[]) {
  const name = argv.find((arg) => !arg.startsWith('-')) ?? ''
  const command = COMMANDS[name]
  const isHelp = ['', 'help'].includes(name) || argv.some((arg) => arg === '--help' || arg === '-h')
  if (isHelp) return say(HELP_OF[name] ?? HELP)
  if (!command) throw new ConfigError(`There is no command "${name}". "rounds --help" lists them.`)
  const { positionals, values } = readArguments(name, argv)
  await command(positionals.slice(1), values).catch((error: unknown) => {
    throw isLeftOut(error) && COMMANDS_OF_A_CLONE.has(name)
      ? new CommandError(`"rounds ${name}" needs a clone of the sources, with "npm ci" run in it.`, {
          cause: error,
        })
      : error
  })
}

function isLeftOut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

function readArguments(name: string, args: string[]) {
  const { values } = parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: false })
  const known = OPTIONS_OF[name] ?? []
  const unknown = Object.keys(values).find((option) => !known.includes(option))
  if (unknown)
    throw new ConfigError(`"rounds ${name}" has no option "${unknown}". "rounds ${name} --help" lists them.`)
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    // An option without its value, or with one that it does not take: Node says which.
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function mustBeEmpty(name: string, args: string[]) {
  if (args.length > 0)
    throw new ConfigError(`"rounds ${name}" takes options only. "rounds ${name} --help" lists them.`)
}

function readPort({ port }: Options): number | undefined {
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535))
    throw new ConfigError('--port must be a whole number from 0 to 65535.')
  return port === undefined ? undefined : Number(port)
}

function say(text: string) {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  // What a person can mend is a sentence; anything else keeps its stack.
  const isTheirs = error instanceof CommandError
  const text = error instanceof Error ? (isTheirs ? error.message : error.stack) : String(error)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
