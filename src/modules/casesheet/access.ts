// Who may do what with a patient's readings. The answers are the same whether or not that patient exists.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IsGone } from '../../db/batch.ts'
import type { Caller } from '../../http/tokens/tokens.ts'
import { Refusal, refuseFields } from '../../refusal.ts'
import { mustGiveReason } from './access-log/access-reason.ts'
import type { Grant } from './grants/grant-cache.ts'
import { sayLimitedTo } from './grants/limited-to.ts'
import {
  GrantChanged,
  grantKeepsChanging,
  notShared,
  type ReadingGrants,
  type Sharing,
} from './grants/reading-grants.ts'
import { type Reader, type Requester, WITHOUT_GRANT } from './reader.ts'

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

/** How a read is refused to callers that may not do it. */
export const MAY_NOT_READ = [
  'PatientMismatch',
  'PatientNotInToken',
  'ScopeMissing',
  'NotShared',
  'ReasonRequired',
] as const

/** One reading by its id, or a search for them. */
type ReadAs = 'read' | 'search'

/** The patient that is meant where a request names none: the only one in the token. */
function onlyPatientOf(caller: Caller): string {
  const [patientUid, ...others] = caller.patientUids
  if (patientUid === undefined && !mayReadOthers(caller)) throw mayNotRead(caller)
  if (patientUid === undefined || others.length > 0) {
    throw refuseFields([
      { pointer: '/patientUid', message: 'is required unless the token names exactly one patient' },
    ])
  }
  return patientUid
}

/** Whether the token lets its bearer read patients that it does not name. */
export function mayReadOthers({ isStaff, doctorId }: Caller): boolean {
  return isStaff || doctorId !== undefined
}

/** A grant that changes more often while one request is decided: the request may come again. */
const MAX_ATTEMPTS = 4

type ReadRequest = {
  request: Pick<FastifyRequest, 'caller' | 'headers' | 'id' | 'raw'>
  reply: Pick<FastifyReply, 'header'>
  /** The patient that the request names, if any. */
  named: string | undefined
  readAs?: ReadAs
}

/** Which patient a request is about, who reads, and whether the client is still connected. */
export type Asked = { patientUid: string; reader: Reader; isGone: IsGone }

export type MustRead = ReturnType<typeof createMustRead>

/**
 * Refuses callers that may not read, and does the work for others, whose reads prove the reader's grant behind them (access-log/log-reads.ts).
 */
export function createMustRead(grants: ReadingGrants) {
  return async <T>(
    { request, reply, named, readAs = 'search' }: ReadRequest,
    work: (asked: Asked) => Promise<T>,
  ): Promise<T> => {
    const patientUid = named ?? onlyPatientOf(request.caller)
    const isGone = hasGone(request)
    return whileGranted(grants, isGone, async (find) => {
      const reader = await readerOf(request, { patientUid, readAs }, find)
      const answer = await work({ patientUid, reader, isGone })
      sayLimitedTo(reply, reader)
      return answer
    })
  }
}

/** Decides and works again, from the start, whenever the grant was found to have changed. */
async function whileGranted<T>(
  grants: ReadingGrants,
  isGone: IsGone,
  decideAndWork: (find: FindGrant) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const find = attempt === 1 ? grants.find : grants.lookUp
    try {
      return await decideAndWork((sharing) => find(sharing, isGone))
    } catch (error) {
      if (!(error instanceof GrantChanged)) throw error
      if (attempt === MAX_ATTEMPTS) throw grantKeepsChanging()
    }
  }
}

type FindGrant = (sharing: Sharing) => Promise<Grant | undefined>

async function readerOf(
  request: Pick<FastifyRequest, 'caller' | 'headers' | 'id'>,
  { patientUid, readAs }: { patientUid: string; readAs: ReadAs },
  find: FindGrant,
): Promise<Reader> {
  const { caller, id } = request
  const { subject: readBy, doctorId, practiceIds } = caller
  const isOwn = caller.patientUids.includes(patientUid)
  if (isOwn && caller.own[readAs]) return { readBy, allowedAs: 'patient', requestId: id, ...WITHOUT_GRANT }
  const grant =
    doctorId !== undefined && caller.shared[readAs]
      ? await find({ patientUid, doctorId, subject: readBy })
      : undefined
  const isEmergency =
    caller.isStaff && grant?.readingTypes && request.headers['x-access-reason'] !== undefined
  // Staff who give a reason see all, although the patient shares some types with them as a doctor.
  if (doctorId !== undefined && grant && !isEmergency) {
    const { grantId, readingTypes: limitedTo } = grant
    return {
      readBy,
      allowedAs: 'grant',
      requestId: id,
      doctorId,
      practiceIds,
      grantId,
      limitedTo,
      reason: null,
    }
  }
  if (caller.isStaff) {
    return { readBy, allowedAs: 'staff', requestId: id, ...WITHOUT_GRANT, reason: mustGiveReason(request) }
  }
  if (isOwn || (doctorId !== undefined && !caller.shared[readAs])) throw scopeMissing()
  throw doctorId === undefined ? mayNotRead(caller) : notShared()
}

export const hasGone =
  ({ raw }: Pick<FastifyRequest, 'raw'>) =>
  () =>
    raw.socket.destroyed

/** Who withdraws or restores a reading of the patient, and why that is allowed; refuses callers that may not. */
export function mustCorrect(
  { caller, id }: Pick<FastifyRequest, 'caller' | 'id'>,
  patientUid: string,
): Requester {
  const isOwn = caller.patientUids.includes(patientUid)
  if (!caller.mayWithdraw && !(isOwn && caller.own.change))
    throw isOwn || caller.isService ? scopeMissing() : notThisPatient(caller)
  return { readBy: caller.subject, allowedAs: caller.mayWithdraw ? 'staff' : 'patient', requestId: id }
}

/** How a caller is refused that may not set anything for a patient. */
export const MAY_NOT_MANAGE = [
  'PatientMismatch',
  'PatientNotInToken',
  'ScopeMissing',
  'NotShared',
  'ManageRequired',
] as const

/** A doctor who sets or notes something for a patient, under the grant as it was decided on. */
export type ManagingDoctor = {
  by: string
  allowedAs: 'grant'
  doctorId: string
  practiceIds: readonly string[]
  grantId: string
}

/** Who sets something for a patient. */
export type Manager =
  | ManagingDoctor
  | { by: string; allowedAs: 'patient'; doctorId: null; practiceIds: readonly string[]; grantId: null }

type ManageRequest = {
  request: Pick<FastifyRequest, 'caller' | 'raw'>
  patientUid: string
  /** The type of readings that it is about, if it is about one. */
  readingType?: string
}

/**
 * Refuses callers that may not set anything for the patient, and does the work for others, whose statement locks the doctor's
 * grant (`lockGrant`). For the patient, carers, and doctors with the permission manage; never for staff.
 */
export function createMustManage(grants: ReadingGrants) {
  const mustManageAsDoctor = createMustManageAsDoctor(grants)
  return async <T>(
    asked: ManageRequest,
    work: (manager: Manager, isGone: IsGone) => Promise<T>,
  ): Promise<T> => {
    const { request, patientUid } = asked
    const { caller } = request
    const isOwn = caller.patientUids.includes(patientUid)
    if (isOwn && caller.own.change)
      return work(
        { by: caller.subject, allowedAs: 'patient', doctorId: null, practiceIds: [], grantId: null },
        hasGone(request),
      )
    if (caller.doctorId === undefined) throw isOwn ? scopeMissing() : notThisPatient(caller)
    return mustManageAsDoctor(asked, work)
  }
}

/** The same for what only a doctor does; with `view` also for one who only reads. */
export function createMustManageAsDoctor(grants: ReadingGrants, needed: Grant['permission'] = 'manage') {
  return async <T>(
    { request, patientUid, readingType }: ManageRequest,
    work: (doctor: ManagingDoctor, isGone: IsGone) => Promise<T>,
  ): Promise<T> => {
    const { caller } = request
    const doctorId = mustBeDoctor(caller, 'change')
    const sharing = { patientUid, doctorId, subject: caller.subject }
    const isGone = hasGone(request)
    return whileGranted(grants, isGone, async (find) => {
      const found = await find(sharing)
      const whyNot = (grant: Grant) => (needed === 'view' ? undefined : whyNotManaged(grant, readingType))
      // It may have been cached, and allow more by now.
      const grant = found && whyNot(found) ? await grants.lookUp(sharing, isGone) : found
      if (!grant) throw notShared()
      const refusal = whyNot(grant)
      if (refusal) throw refusal
      const { subject: by, practiceIds } = caller
      return work({ by, allowedAs: 'grant', doctorId, practiceIds, grantId: grant.grantId }, isGone)
    })
  }
}

function whyNotManaged(
  { permission, readingTypes }: Grant,
  readingType: string | undefined,
): Refusal | undefined {
  if (permission !== 'manage')
    return new Refusal(
      'ManageRequired',
      'This patient lets you read, but change nothing: the grant needs the permission manage.',
    )
  if (readingType === undefined || readingTypes === null || readingTypes.includes(readingType))
    return undefined
  return new Refusal('NotShared', 'This patient does not share readings of this type with you.')
}

/** Sharing is for those whom the token names, and for carers: neither staff nor doctors give or revoke grants. */
export function mustShare(caller: Caller, patientUid: string) {
  if (!caller.patientUids.includes(patientUid)) throw notThisPatient(caller)
  if (!caller.own.change) throw scopeMissing()
}

/** Whose grants are asked for; refuses callers whose token does not name that patient. */
export function mustSeeGrants(caller: Caller, named: string | undefined): string {
  if (caller.patientUids.length === 0) throw notThisPatient(caller)
  const patientUid = named ?? onlyPatientOf(caller)
  if (!caller.patientUids.includes(patientUid)) throw notThisPatient(caller)
  if (!caller.own.search) throw scopeMissing()
  return patientUid
}

/** The doctor that the token names, where it may see or change what patients share. */
export function mustBeDoctor({ doctorId, shared }: Caller, right: 'search' | 'change' = 'search'): string {
  if (doctorId === undefined) throw new Refusal('NotADoctor', 'The access token names no doctor.')
  if (!shared[right]) throw scopeMissing()
  return doctorId
}

export function mustBeAllowedToFollowChanges(caller: Caller) {
  if (!caller.mayFollowChanges) throw scopeMissing()
}

function mayNotRead(caller: Caller): Refusal {
  if (!caller.isService) return notThisPatient(caller)
  return scopeMissing()
}

export function scopeMissing(message = 'The token lacks the scope that this operation needs.'): Refusal {
  return new Refusal('ScopeMissing', message, {
    headers: { 'www-authenticate': 'Bearer realm="rounds", error="insufficient_scope"' },
  })
}

function notThisPatient({ patientUids }: Caller): Refusal {
  return patientUids.length === 0
    ? new Refusal('PatientNotInToken', 'The access token names no patient.')
    : new Refusal('PatientMismatch', 'The access token is for another patient.')
}
