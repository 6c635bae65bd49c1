// What the development issuer keeps while it runs: sessions, codes and refresh tokens, in memory. Its clients are not stored:
// the console's is made from the addresses that it is served at.
import type { Adapter, AdapterPayload } from 'oidc-provider'

type Entry = { payload: AdapterPayload; endsAt: number }

/** More than a developer leaves behind in a day; beyond that the oldest is dropped. */
const MAX_ENTRIES = 10_000

export function createStore(findClient: (id: string) => AdapterPayload | undefined) {
  const entries = new Map<string, Entry>()

  function find(key: string): AdapterPayload | undefined {
    const entry = entries.get(key)
    if (entry && entry.endsAt > Date.now()) return entry.payload
    entries.delete(key)
    return undefined
  }

  return (model: string): Adapter => {
    const keyOf = (id: string) => `${model} ${id}`
    return {
      async upsert(id, payload, expiresIn) {
        entries.set(keyOf(id), { payload, endsAt: expiresIn ? Date.now() + expiresIn * 1_000 : Infinity })
        for (const oldest of entries.keys()) {
          if (entries.size <= MAX_ENTRIES) break
          entries.delete(oldest)
        }
      },
      find: async (id) => (model === 'Client' ? findClient(id) : find(keyOf(id))),
      findByUid: async (uid) =>
        [...entries.values()].map(({ payload }) => payload).find((payload) => payload.uid === uid),
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = find(keyOf(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1_000)
      },
      async destroy(id) {
        entries.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
      },
    }
  }
}
