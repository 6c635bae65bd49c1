// A copy of all readings that misses and repeats nothing, whenever it is killed: a page and its cursor are written in one transaction.
// `rounds` is the client, and `copy` your database: state, beginAgain and transaction (put, deletePatient, setCursor).
// `beginAgain(times)` deletes all readings and the cursor, and adds the times to `begunAgainFor`, in one transaction.
export async function keepCopy(rounds, copy) {
  for (;;) {
    try {
      await keepOn(rounds, copy)
    } catch (error) {
      if (error.code !== 'CursorExpired') throw error
      // The database was restored to an earlier state, which may lack readings of the copy.
      await copy.beginAgain([])
    }
  }
}

async function keepOn(rounds, copy) {
  const { cursor, beganAt, begunAgainFor } = await copy.state()
  for await (const { changes, nextCursor } of rounds.changes({ cursor })) {
    const unknown = changes
      .filter(({ state, patientUid }) => state === 'erased' && patientUid === null)
      .map(({ erasedAt }) => erasedAt)
      .filter((erasedAt) => Date.parse(erasedAt) > beganAt - 86_400_000 && !begunAgainFor.includes(erasedAt))
    if (unknown.length > 0) return copy.beginAgain(unknown)
    await copy.transaction(async (store) => {
      for (const change of changes) {
        if (change.state !== 'erased') await store.put(change.reading.readingId, change)
        else if (change.patientUid !== null) await store.deletePatient(change.patientUid)
      }
      await store.setCursor(nextCursor)
    })
  }
}
