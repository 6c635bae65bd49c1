// Where programs of the machine are. A setting with its path comes first (HAPROXY for haproxy), then the PATH, then the
// directories where packages put programs that are not on every user's PATH: those of systems stand here and nowhere else.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const OFF_THE_PATH = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/** Packages call some programs by other names. The first that is anywhere is taken. */
const NAMES: Record<string, string[]> = {
  chromium: [
    // The same pages for less CPU: it has no window to draw.
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
}

/** The directories of PostgreSQL's binaries on Debian, on Red Hat, and of Homebrew on either processor. */
export const postgresDirectories = (version: number) => [
  `/usr/lib/postgresql/${version}/bin`,
  `/usr/pgsql-${version}/bin`,
  `/opt/homebrew/opt/postgresql@${version}/bin`,
  `/usr/local/opt/postgresql@${version}/bin`,
]

export const pathDirectories = () => (process.env['PATH'] ?? '').split(delimiter).filter((dir) => dir !== '')

/** The file of a program, or undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  const setting = process.env[name.toUpperCase().replaceAll('-', '_')]
  if (setting?.startsWith('/')) return isProgram(setting) ? setting : undefined
  const directories = [...pathDirectories(), ...OFF_THE_PATH]
  return (NAMES[name] ?? [name])
    .flatMap((each) => (each.startsWith('/') ? each : directories.map((dir) => join(dir, each))))
    .find(isProgram)
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
