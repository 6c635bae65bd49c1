// A request at the edge of what is permitted, and who sends it.
import type { Hostile } from './send.ts'
import type { LimitsStage } from './stage.ts'

export type Case = {
  operation: string
  input: string
  status: number
  /** A range without a limit: as long as it is, in pages that are bounded. */
  isStreamed?: boolean
  /** A thousand Observations take twice as long to read as the readings that they are, in pieces between which others are served. */
  isBundle?: boolean
  /** Made anew each time it is sent, so that no reading is there already. */
  make: () => Hostile
}

type Headers = Record<string, string>

/** The patients that the stage has prepared, and others without one. */
const PATIENTS = [
  'sender',
  'large',
  'quoted',
  'types',
  'fields',
  'year',
  'small',
  'withdrawn',
  'log',
  'sharing',
] as const

/** With many patients, with limited grants, and with grants that have expired. */
const DOCTORS = ['doctor', 'limitedDoctor', 'formerDoctor'] as const

export type Callers = Record<
  | (typeof PATIENTS)[number]
  | (typeof DOCTORS)[number]
  | 'anyone'
  | 'carer'
  | 'nobody'
  | 'forger'
  | 'manager'
  | 'consumer',
  Headers
>

export async function introduceCallers({ bearer, issuer }: LimitsStage): Promise<Callers> {
  const patients: Record<string, Headers> = {}
  for (const doctorId of DOCTORS) patients[doctorId] = await bearer({ doctorId, sub: doctorId })
  for (const patientUid of PATIENTS) patients[patientUid] = await bearer({ patientUid, sub: patientUid })
  const manyPatients = Array.from({ length: 60 }, (_, n) => `sender-${n}`.padEnd(30, 'x'))
  const token = await issuer.token({ sub: 'forger' })
  return {
    ...(patients as Record<(typeof PATIENTS)[number] | (typeof DOCTORS)[number], Headers>),
    anyone: await bearer({ sub: 'anyone' }),
    consumer: await bearer({ sub: 'consumer', scope: 'readings:changes' }),
    manager: await bearer({ sub: 'manager', scope: 'webhooks:manage' }),
    carer: await bearer({ sub: 'carer', patientUid: manyPatients }),
    nobody: {},
    forger: { authorization: `Bearer ${token.slice(0, -8)}AAAAAAAA` },
  }
}

export type Get = [input: string, path: string, caller: keyof Callers, status: number, headers?: Headers]

export function gets(callers: Callers, operation: string, rows: Get[]): Case[] {
  return rows.map(([input, path, caller, status, headers = {}]) => ({
    operation,
    input,
    status,
    make: () => ({ path, headers: { ...callers[caller], ...headers } }),
  }))
}

export type Add = [input: string, body: () => string, status: number]

export const ADD = '/casesheet/readings/add'

export function adds(callers: Callers, caller: keyof Callers, rows: Add[], headers: Headers = {}): Case[] {
  const operation = `readings/add${headers['prefer'] ? ', each answered' : ''}`
  return rows.map(([input, body, status]) => ({
    operation,
    input,
    status,
    make: () => ({ path: ADD, headers: { ...callers[caller], ...headers }, body: Buffer.from(body()) }),
  }))
}
