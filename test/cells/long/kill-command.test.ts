import { atEveryStep, testKills } from '../kills.ts'

await testKills(atEveryStep('command'))
