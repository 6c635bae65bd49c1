// The simulation of shared statements in more worlds than every run of the tests can afford.
process.env['WORLDS'] = '10000'
await import('../../src/db/batch-simulation.test.ts')
