// Builds the console into dist/console, which `rounds serve` gives out at /console/. `npx vite clients/console` serves the
// sources instead and passes everything else to the server that ROUNDS_URL names.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
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

type Licence = { name: string; version: string; identifier: string; text: string }

const LICENCES = 'licences.json'

/** Vite lists the packages of the page, and not those that only a worker is made of. */
function listWorkerLicences() {
  const found = new Map<string, Licence>()
  const ofWorker: Plugin = {
    name: 'find-worker-licences',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        for (const id of file.moduleIds) {
          const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []
          if (folder !== undefined && !found.has(folder)) found.set(folder, licenceIn(folder))
        }
      }
    },
  }
  const ofPage: Plugin = {
    name: 'add-worker-licences',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const listed = bundle[LICENCES]
        if (listed?.type !== 'asset') throw new Error('The build lacks its licences.')
        const all = JSON.parse(String(listed.source)) as Licence[]
        for (const one of found.values()) if (!all.some(({ name }) => name === one.name)) all.push(one)
        all.sort((one, other) => (one.name < other.name ? -1 : 1))
        listed.source = JSON.stringify(all, null, 2)
      },
    },
  }
  return { ofWorker, ofPage }
}

function licenceIn(folder: string): Licence {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    name: string
    version: string
    license: string
  }
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  const text = file === undefined ? '' : readFileSync(`${folder}/${file}`, 'utf8').trim()
  return { name, version, identifier: license, text }
}

const workerLicences = listWorkerLicences()

export default defineConfig({
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [listRelease(), workerLicences.ofPage],
  worker: { format: 'es', plugins: () => [workerLicences.ofWorker] },
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
    license: { fileName: LICENCES },
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
