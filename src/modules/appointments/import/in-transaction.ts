// One step of an import that writes the directory.
import type { Client } from 'pg'

/** The locks, in this order, come before anything is written: who waits for them holds nobody back. Readers do not wait. */
export async function inTransaction(client: Client, work: () => Promise<unknown>) {
  await client.query(`
    begin;
    lock table appointments.specialities, appointments.doctors, appointments.doctor_specialities
    in share row exclusive mode`)
  await work()
  await client.query('commit')
}
