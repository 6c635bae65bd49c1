// Builds the console into dist/console, which `rounds serve` gives out at /console/. `npx vite clients/console` serves the
// sources instead and passes everything else to the server that ROUNDS_URL names.
import { defineConfig } from 'vite'

const rounds = process.env['ROUNDS_URL'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
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
  },
  server: {
    proxy: { '^/(?!console/)': rounds, '/console/config.json': rounds },
  },
})
