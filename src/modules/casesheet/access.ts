// Who may do what with a patient's readings. The answers are the same whether or not that patient exists.
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../http/tokens/tokens.ts'
import { Refusal, refuseFields } from '../../refusal.ts'

export function mustBeAllowedToAdd(caller: Caller, patientUids: Iterable<string>) {
  for (const patientUid of patientUids) {
    if (!caller.patientUids.includes(patientUid)) throw notThisPatient(caller)
  }
  if (!caller.own.add) throw scopeMissing()
}

/** A token that names no patient lets nothing be added, whatever the body holds. */
export function mustNameAPatient(caller: Caller) {
  if (caller.patientUids.length === 0) throw notThisPatient(caller)
  if (!caller.own.add) throw scopeMissing()
}

/** Why a caller may read a patient: the token names the patient, or it is staff's. */
export type AllowedAs = 'patient' | 'staff'

/** Who reads, under which request, and why that is allowed: what the access log says beside the range. */
export type Reader = { readBy: string; allowedAs: AllowedAs; requestId: string }

/** One reading by its id, or a search for them. */
export type ReadAs = 'read' | 'search'

function mustBeAllowedToRead(caller: Caller, patientUid: string, readAs: ReadAs = 'search'): AllowedAs {
  const isOwn = caller.patientUids.includes(patientUid)
  if (isOwn && caller.own[readAs]) return 'patient'
  if (caller.isStaff) return 'staff'
  throw isOwn ? scopeMissing() : mayNotRead(caller)
}

/** The patient that is meant where a request names none: the only one in the token. */
function onlyPatientOf(caller: Caller): string {
  const [patientUid, ...others] = caller.patientUids
  if (patientUid === undefined && !caller.isStaff) throw mayNotRead(caller)
  if (patientUid === undefined || others.length > 0) {
    throw refuseFields([
      { pointer: '/patientUid', message: 'is required unless the token names exactly one patient' },
    ])
  }
  return patientUid
}

/** Which patient a request is about, who reads, and whether the client is still connected; refuses callers that may not read. */
export function mustRead(
  request: Pick<FastifyRequest, 'caller' | 'id' | 'raw'>,
  named: string | undefined,
  readAs: ReadAs = 'search',
) {
  const { caller, id } = request
  const patientUid = named ?? onlyPatientOf(caller)
  const allowedAs = mustBeAllowedToRead(caller, patientUid, readAs)
  const reader: Reader = { readBy: caller.subject, allowedAs, requestId: id }
  return { patientUid, reader, isGone: hasGone(request) }
}

export const hasGone =
  ({ raw }: Pick<FastifyRequest, 'raw'>) =>
  () =>
    raw.socket.destroyed

export function mustBeAllowedToWithdraw(caller: Caller, patientUid: string) {
  const isOwn = caller.patientUids.includes(patientUid)
  if ((isOwn && caller.own.change) || caller.mayWithdraw) return
  throw isOwn || caller.isService ? scopeMissing() : notThisPatient(caller)
}

export function mustBeAllowedToFollowChanges(caller: Caller) {
  if (!caller.mayFollowChanges) throw scopeMissing()
}

function mayNotRead(caller: Caller): Refusal {
  if (!caller.isService) return notThisPatient(caller)
  return scopeMissing()
}

function scopeMissing(): Refusal {
  return new Refusal('ScopeMissing', 'The token lacks the scope that this operation needs.', {
    headers: { 'www-authenticate': 'Bearer realm="rounds", error="insufficient_scope"' },
  })
}

function notThisPatient({ patientUids }: Caller): Refusal {
  return patientUids.length === 0
    ? new Refusal('PatientNotInToken', 'The access token names no patient.')
    : new Refusal('PatientMismatch', 'The access token is for another patient.')
}
