// As test/rolling-restart.perf.ts, for longer.
process.env['RESTARTS'] = '20'
await import('../rolling-restart.perf.ts')
