// Certificates for servers of tests, which only those trust who are given them.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from './dev.ts'
import { programOf } from './needs.ts'

export type Certificate = { key: string; cert: string }

/** Signed by itself; `names` are such as `DNS:receiver.test` and `IP:127.0.0.1`. Needs openssl. */
export function createCertificate(...names: string[]): Certificate {
  const directory = temporaryDirectory()
  const [key, cert] = [join(directory, 'key'), join(directory, 'cert')]
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key]
  const subject = ['-subj', '/CN=receiver', '-addext', `subjectAltName=${names.join(',')}`]
  execFileSync(programOf('openssl'), ['req', '-x509', ...newKey, ...subject, '-out', cert], { stdio: 'pipe' })
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}
