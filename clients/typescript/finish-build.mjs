// The last step of the build: what the compiler leaves to do for older tools.
// - Declarations name each other as `./call.ts`. TypeScript before 5.7 takes that for a source that is not there: `./call.js`.
// - In a package of modules, the CommonJS build has to say what it is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const dist = process.argv[2] ?? join(import.meta.dirname, 'dist')
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue
  const text = readFileSync(join(dist, name), 'utf8')
  writeFileSync(
    join(dist, name),
    text.replace(/(from |import\()('|")(\.{1,2}\/[\w./-]+)\.ts\2/g, '$1$2$3.js$2'),
  )
}
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
