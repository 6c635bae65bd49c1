// node test/faults/write-document.ts FILE.json …
//   Writes the list of docs/faults.md anew, from what `npm run lab faults -- --json FILE` wrote.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listOf, type Run } from './report.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/faults.md')
const [BEGIN, END] = ['<!-- faults -->', '<!-- end of faults -->']

const runs = process.argv.slice(2).flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Run[])
const text = readFileSync(DOCUMENT, 'utf8')
const [begin, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)]
writeFileSync(DOCUMENT, `${text.slice(0, begin)}\n\n${listOf(runs)}\n\n${text.slice(end)}`)
