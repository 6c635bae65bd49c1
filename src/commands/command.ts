// What a command is, and how one is found and run. Each command's file holds its options, its help text and what it does; it
// loads what it needs when it is run, because the whole server takes half a second that a help text should not cost.

import type { ReadStream, WriteStream } from 'node:tty'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { ConfigError } from '../config/config.ts'
import { codeOf } from '../error-code.ts'
import { CommandError } from '../refusal.ts'

export type Terminal = { input: ReadStream; output: WriteStream; errors: WriteStream }

export type Deps = Terminal & { env: NodeJS.ProcessEnv }

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>['values']

type Invocation<Options extends ParseArgsOptionsConfig> = {
  /** What stands behind the command's name and is no option. */
  args: string[]
  options: Values<Options>
}

type Definition<Options extends ParseArgsOptionsConfig> = {
  /** Its lines in `rounds --help`. */
  summary: string
  help: string
  options: Options
  /** The container image leaves out what it needs. */
  isOfAClone?: boolean
  /** Whether its output is a log, of which each line is JSON. */
  isLog?: boolean
  /** Does what was asked and returns what to print. */
  run: (invocation: Invocation<Options>, deps: Deps) => Promise<string>
}

export type Command = {
  summary: string
  help: string
  isLog: boolean
  run: (name: string, argv: string[], deps: Deps) => Promise<string>
}

export function defineCommand<const Options extends ParseArgsOptionsConfig>(
  definition: Definition<Options>,
): Command {
  const { summary, help, options, isOfAClone = false, isLog = false } = definition
  return {
    summary,
    help,
    isLog,
    async run(name, argv, deps) {
      const { values, positionals } = readArguments(name, argv, options)
      try {
        return await definition.run({ args: positionals.slice(1), options: values }, deps)
      } catch (error) {
        if (!isOfAClone || codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
        const message = `"rounds ${name}" needs a clone of the sources, with "npm ci" run in it.`
        throw new CommandError(message, { cause: error })
      }
    },
  }
}

// An option that is not known must not be overlooked: it may be a misspelt --dry-run.
function readArguments<Options extends ParseArgsOptionsConfig>(
  name: string,
  args: string[],
  options: Options,
) {
  const { values } = parseArgs({ args, options, allowPositionals: true, strict: false })
  const unknown = Object.keys(values).find((option) => !Object.hasOwn(options, option))
  if (unknown)
    throw new ConfigError(`"rounds ${name}" has no option "${unknown}". "rounds ${name} --help" lists them.`)
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    // An option without its value, or with one that it does not take: Node says which.
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

export function mustHaveNoArguments(name: string, args: string[]) {
  if (args.length > 0)
    throw new ConfigError(`"rounds ${name}" takes options only. "rounds ${name} --help" lists them.`)
}

export function readPort(port: string | undefined, name = '--port'): number | undefined {
  return readWholeNumber(port, { name, min: 0, max: 65_535 })
}

/** The value of an option, or nothing where it was not given. */
export function readWholeNumber(
  text: string | undefined,
  { name, min, max }: { name: string; min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  // Written so that what is no number at all fails too.
  if (number >= min && number <= max) return number
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`)
}
