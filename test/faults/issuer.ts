// The issuer for development in a process of its own:  node test/faults/issuer.ts AUDIENCE NOTE
// The note, a file, appears when it answers and says where to ask for tokens.
import { renameSync, writeFileSync } from 'node:fs'
import { startDevIssuer } from '../../tools/dev/issuer.ts'

const [, , audience = '', note = ''] = process.argv
const { stop: _, ...source } = await startDevIssuer({ audience })
writeFileSync(`${note}.new`, JSON.stringify(source), { mode: 0o600 })
renameSync(`${note}.new`, note)
