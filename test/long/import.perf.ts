// As test/perf/import.perf.ts, with an export of 3 GB.
process.env['IMPORT_BYTES'] = '3000000000'
await import('../perf/import.perf.ts')
