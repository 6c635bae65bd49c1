// As test/perf/rolling-restart.perf.ts, for longer.
process.env['RESTARTS'] = '20'
await import('../perf/rolling-restart.perf.ts')
