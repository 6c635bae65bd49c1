// The size that the directory must carry: what test/large-directory.test.ts shows of 100,000 doctors holds of a million.
process.env['DOCTORS'] = '1000000'
await import('../large-directory.test.ts')
