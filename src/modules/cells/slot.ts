// A patient's slot: the first three hexadecimal digits of the MD5 of the id in UTF-8. PostgreSQL computes the same in
// casesheet.slot_of and in the row filter of a publication, and HAProxy in deploy/haproxy/cells.cfg. It divides patients between
// cells and protects nothing, so a broken hash is no harm; it is the one that all three have built in.
import { hash } from 'node:crypto'

export const SLOT_COUNT = 4_096

export function slotOf(patientUid: string): number {
  return Number.parseInt(hash('md5', patientUid).slice(0, 3), 16)
}
