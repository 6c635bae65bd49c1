// As test/perf/bulk-export.perf.ts, with ten million readings.
process.env['EXPORT_READINGS'] = '10000000'
await import('../perf/bulk-export.perf.ts')
