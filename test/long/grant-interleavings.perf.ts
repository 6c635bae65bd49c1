// As test/grants/interleavings.test.ts, in more interleavings than every run of the tests can afford.
process.env['INTERLEAVINGS'] = '10000'
await import('../grants/interleavings.test.ts')
