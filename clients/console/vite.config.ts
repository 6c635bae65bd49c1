// Builds the console into dist/console, which `rounds serve` gives out at /console/. `npx vite clients/console` serves the
// sources instead and passes everything else to the server that ROUNDS_URL names.
import { createHash } from 'node:crypto'
import { defineConfig, type Plugin } from 'vite'

const rounds = process.env['ROUNDS_URL'] ?? 'http://127.0.0.1:3000'

const WORKER = 'service-worker'

/** Tells the service worker which files the release has. */
function listRelease(): Plugin {
  return {
    name: 'list-release',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const assets = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'index')
      const worker = bundle[`${WORKER}.js`]
      if (worker?.type !== 'chunk' || !entry) throw new Error('The build lacks its service worker.')
      const release = { assets: assets.map((name) => `/console/${name}`).toSorted(), entry: entry.fileName }
      const version = createHash('sha256').update(JSON.stringify(release)).digest('hex').slice(0, 16)
      worker.code = `const RELEASE = ${JSON.stringify({ version, ...release })};\n${worker.code}`
    },
  }
}

export default defineConfig({
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [listRelease()],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Those that know light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Every asset is a file: the content security policy allows no other source.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of the packages that are part of what browsers get, beside it; scripts/release.ts lists them too.
    license: { fileName: 'licences.json' },
    rollupOptions: {
      input: {
        index: `${import.meta.dirname}/index.html`,
        [WORKER]: `${import.meta.dirname}/src/${WORKER}.ts`,
      },
      output: {
        // A worker is known by its address, and rules the paths below it.
        entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: {
    proxy: { '^/(?!console/)': rounds, '/console/config.json': rounds },
  },
})
