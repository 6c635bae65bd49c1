#!/usr/bin/env node
// The table of commands. The only reader of argv and the environment.
import { accessLogCommand } from './commands/access-log.ts'
import { careCommand } from './commands/care.ts'
import type { Command } from './commands/command.ts'
import { devCommand } from './commands/dev.ts'
import { directoryCommand } from './commands/directory.ts'
import { endProcess } from './commands/end-process.ts'
import { importCommand } from './commands/import.ts'
import { type Say, sayInJson } from './commands/json-lines.ts'
import { migrateCommand } from './commands/migrate.ts'
import { patientCommand } from './commands/patient.ts'
import { serveCommand } from './commands/serve.ts'
import { simulateCommand } from './commands/simulate.ts'
import { sizingCommand } from './commands/sizing.ts'
import { tokenCommand } from './commands/token.ts'
import { webhookCommand } from './commands/webhook.ts'
import { ConfigError } from './config/config.ts'
import { commit, version } from './config/version.ts'
import { CommandError } from './refusal.ts'

const COMMANDS: Record<string, Command> = {
  dev: devCommand,
  token: tokenCommand,
  serve: serveCommand,
  migrate: migrateCommand,
  directory: directoryCommand,
  patient: patientCommand,
  import: importCommand,
  'access-log': accessLogCommand,
  care: careCommand,
  webhook: webhookCommand,
  simulate: simulateCommand,
  sizing: sizingCommand,
}

const HELP = `Rounds: a doctor directory and patient readings service in front of PostgreSQL.

${Object.values(COMMANDS)
  .map(({ summary }) => `  ${summary}`)
  .join('\n')}

In a clone, write "npx rounds" for "rounds". Settings come from the environment; "rounds COMMAND --help" lists those of a
command, and "rounds --version" prints version and commit.
`

const argv = process.argv.slice(2)
const name = argv.find((arg) => !arg.startsWith('-')) ?? ''
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
const isHelp = ['', 'help'].includes(name) || argv.some((arg) => arg === '--help' || arg === '-h')

async function main(): Promise<string> {
  if (argv.length === 1 && argv[0] === '--version') return `rounds ${version} (commit ${commit()})`
  if (isHelp) return command?.help ?? HELP
  if (!command) throw new ConfigError(`There is no command "${name}". "rounds --help" lists them.`)
  const { env, stdin: input, stdout: output, stderr: errors } = process
  return command.run(name, argv, { env, input, output, errors })
}

const sayInText: Say = (_level, text) => void process.stderr.write(`${text}\n`)
// At a terminal, a person reads it.
const say = command?.isLog && !process.stderr.isTTY ? sayInJson() : sayInText
try {
  const done = await main()
  if (done !== '') process.stdout.write(done.endsWith('\n') ? done : `${done}\n`)
} catch (error) {
  // What a person can fix is a sentence; anything else keeps its stack.
  const isTheirs = error instanceof CommandError
  const text = error instanceof Error ? (isTheirs ? error.message : error.stack) : undefined
  say('fatal', text ?? String(error))
  process.exitCode = error instanceof CommandError ? error.exitCode : 1
}
await endProcess(say)
