// The last step of the build: what the compiler leaves to do for older tools, and for the size of the package.
// - Declarations name each other as `./call.ts`. TypeScript before 5.7 takes that for a source that is not there: `./call.js`.
// - In a package of modules, the CommonJS build has to say what it is.
// - Both builds have the types of the API, which are most of the package: the modules take those of the CommonJS build.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dirname, 'dist')
for (const name of ['api.js', 'api.d.ts', 'cjs/api.js']) rmSync(join(dist, name))
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue
  const text = readFileSync(join(dist, name), 'utf8')
  const named = text.replace(/(from |import\()('|")(\.{1,2}\/[\w./-]+)\.ts\2/g, '$1$2$3.js$2')
  const isModule = !name.startsWith('cjs')
  writeFileSync(join(dist, name), isModule ? named.replaceAll(`'./api.js'`, `'./cjs/api.js'`) : named)
}
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
