// A unit of deploy/systemd, run without systemd: its command, with its environment, under its system call filter.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programOf } from './needs.ts'
import { runProgram } from './process.ts'

const ROOT = join(import.meta.dirname, '../..')
export const UNITS = ['rounds@.service', 'rounds-migrate.service'] as const
export type UnitName = (typeof UNITS)[number]

export const fileOf = (unit: UnitName) => join(ROOT, 'deploy/systemd', unit)

/** All values of a setting, in order. */
export function valuesOf(unit: UnitName, name: string): string[] {
  const lines = readFileSync(fileOf(unit), 'utf8').split('\n')
  return lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))
}

export function valueOf(unit: UnitName, name: string): string {
  return valuesOf(unit, name)[0] ?? ''
}

type Place = {
  /** The instance, for `%i`. */
  instance?: string
  /** The directory that stands for `/`. */
  root: string
  /** What differs in a test. */
  environment?: Record<string, string>
  /** Another unit file whose filter is used. */
  filterOf?: string
}

export function startUnit(unit: UnitName, { instance = '', root, environment = {}, filterOf }: Place) {
  const [program, ...args] = valueOf(unit, 'ExecStart').split(' ')
  if (program !== '/usr/local/bin/node') throw new Error(`${unit} starts ${program}.`)
  const settings = [
    ...valuesOf(unit, 'Environment').flatMap((value) => value.replaceAll('%i', instance).split(' ')),
    ...readFileSync(join(root, valueOf(unit, 'EnvironmentFile')), 'utf8')
      .trim()
      .split('\n'),
  ].map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  return runProgram(
    programOf('python3'),
    [join(ROOT, 'test/support/run-confined.py'), filterOf ?? fileOf(unit), process.execPath, ...args],
    { ...Object.fromEntries(settings), ...environment },
    join(root, valueOf(unit, 'WorkingDirectory')),
  )
}
