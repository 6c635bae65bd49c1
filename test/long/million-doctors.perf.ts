// The size that the directory must carry: what test/directory/large-directory.test.ts shows of 100,000 doctors holds of a million.
process.env['DOCTORS'] = '1000000'
await import('../directory/large-directory.test.ts')
