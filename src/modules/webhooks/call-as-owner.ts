// Calls an operation for `rounds webhook`, in a session of the owner of the tables.
import type { Queries } from '../../db/db.ts'
import { checkFor } from '../../http/json/validation.ts'
import { CommandError, Refusal, refuseFields } from '../../refusal.ts'
import { withOwnerSession } from '../casesheet/owner/owner-session.ts'
import { createAddressRules } from './delivery/allowed-address.ts'
import { createSecrets } from './delivery/secrets.ts'
import { createSender } from './delivery/send.ts'
import { createOperations, type Operations } from './operations.ts'

type Deps = { databaseUrl: string; key: Buffer; networks: string[]; userAgent: string; by: string }

type Answer = Awaited<ReturnType<Operations[keyof Operations]['run']>>

/** Nothing if there is no such operation. `given` is its body or its query. */
export async function callAsOwner(
  name: string,
  given: object,
  { databaseUrl, key, networks, userAgent, by }: Deps,
): Promise<Answer | undefined> {
  const rules = createAddressRules(networks)
  const sender = createSender({ rules })
  const sending = {
    sender,
    rules,
    secrets: createSecrets(key),
    userAgent,
    now: Date.now,
  }
  try {
    return await withOwnerSession(databaseUrl, async (client) => {
      const db: Queries = { query: async (statement) => (await client.query(statement)).rows }
      const operations = createOperations(db, sending)
      if (!Object.hasOwn(operations, name)) return undefined
      const { contract, run } = operations[name as keyof Operations]
      const errors = checkFor('body' in contract ? contract.body : contract.querystring)(given)
      if (errors.length > 0) throw refuseFields(errors)
      const answer: Answer = await run(given as never, by)
      return answer
    })
  } catch (error) {
    // What the operation refuses is for the person to fix.
    throw error instanceof Refusal ? new CommandError(error.message, { cause: error }) : error
  } finally {
    sender.close()
  }
}
