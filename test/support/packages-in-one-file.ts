// TypeBox and jose are 420 small files, and to find them takes a quarter of the CPU that the imports of a test file cost. Tests, and
// the programs that they start, load the same code from one file of each package, which Vite writes once for each version.
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = ['typebox', 'jose']

/** The option with which Node loads them so. */
export async function packagesInOneFile(): Promise<string> {
  const files = PACKAGES.map((name): [string, string] => {
    const { version } = JSON.parse(readFileSync(join(ROOT, `node_modules/${name}/package.json`), 'utf8'))
    return [name, join(ROOT, `node_modules/.cache/packages/${name}-${version}.mjs`)]
  })
  for (const [name, file] of files) if (!existsSync(file)) await write(name, file)
  const urls = JSON.stringify(Object.fromEntries(files.map(([name, file]) => [name, pathToFileURL(file)])))
  const hook = `import { registerHooks } from 'node:module'
    const urls = ${urls}
    registerHooks({
      resolve: (name, context, next) => (urls[name] ? { url: urls[name], shortCircuit: true } : next(name, context)),
    })`
  return `--import=data:text/javascript,${encodeURIComponent(hook)}`
}

async function write(name: string, file: string) {
  const { build } = await import('vite')
  const entry = fileURLToPath(import.meta.resolve(name))
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      lib: { entry, fileName: () => basename(file), formats: ['es'] },
      outDir: dirname(file),
      emptyOutDir: false,
      minify: false,
      target: 'node24',
      rollupOptions: { external: /^node:/ },
    },
  })
}
