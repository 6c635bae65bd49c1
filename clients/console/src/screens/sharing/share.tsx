// Sharing with a doctor: which one, by the directory's search, and then what, until when, and as whom.
import { useId, useState } from 'preact/hooks'
import type { Doctor, Grant, GrantToAdd } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import '../../ui/form.css'
import { doctorText, namedDoctor } from '../../directory/doctor-names.ts'
import { dateText, instantOfLocal, localInput } from '../../format/times.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { TextField } from '../../ui/fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../ui/notice.tsx'
import { Radios } from '../../ui/radios.tsx'
import { words } from '../../words/words.ts'
import { Doctors } from '../doctors/doctors.tsx'
import { termsAfter, whatText } from './grant-text.ts'
import { grantsOfPatient } from './grants-of-patient.ts'
import { byName, TypeChoice } from './type-choice.tsx'
import './sharing.css'

const MAX_NAME = 100
const MAX_CONTACT = 200
/** Further in the future nobody means anything by it, and the service takes no year beyond 9999. */
const MAX_DATE = '2999-12-31'

export function Share(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const { session, catalogue, kept } = useApp()
  const doctorId = address.query.get('doctor')
  const isOwn = session.person.patientUids.includes(patientUid)
  const { data, error, reload } = useLoad([patientUid, doctorId, isOwn], async (signal) => {
    if (doctorId === null || !isOwn) return undefined
    const [found, grants, types] = await Promise.all([
      rounds.listDoctors({ doctorId: [doctorId] }, { signal }),
      grantsOfPatient(rounds, patientUid, signal),
      catalogue(),
    ])
    const own = (kept.latest(patientUid)?.newest ?? []).map(({ readingType }) => readingType)
    const before = grants.find((grant) => grant.doctorId === doctorId)
    const all = [...new Set([...own, ...(before?.readingTypes ?? []), ...types.keys(), 'symptom'])]
    return { doctor: found.data[0], before, types: all.toSorted(byName) }
  })
  if (!isOwn) return <Empty title="Only the patient can share these readings." />
  if (doctorId === null) {
    return (
      <>
        <p class="share-lead">
          With whom do you want to share readings of <bdi>{patientUid}</bdi>? Find the doctor in the
          directory.
        </p>
        <Doctors {...props} />
      </>
    )
  }
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
  if (!data) return <Loading lines={5} height={64} />
  if (!data.doctor?.isActive) {
    return (
      <Empty title="The directory has no such doctor now.">
        <Link class="button" address={address} to={{ query: { doctor: undefined } }}>
          Find another doctor
        </Link>
      </Empty>
    )
  }
  return <ShareForm key={doctorId} {...props} {...data} doctor={data.doctor} />
}

type FormProps = ScreenProps & { doctor: Doctor; before: Grant | undefined; types: string[] }

function ShareForm(props: FormProps) {
  const { patientUid, zone, address, doctor, before, types } = props
  const [chosen, setChosen] = useState<readonly string[] | null>(before?.readingTypes ?? null)
  const [permission, setPermission] = useState<Grant['permission']>(before?.permission ?? 'view')
  // Until one is chosen: who manages goes on, who looks does so for a while.
  const [chosenDay, setLastDay] = useState(givenDay(props))
  const lastDay = chosenDay ?? (permission === 'manage' ? '' : dayIn(DAYS_OF_VIEW, zone))
  const [contact, setContact] = useState(before?.contact ?? '')
  const [name, setName] = useState(before?.sharedAs ?? '')
  const { error, isBusy, give } = useGive(props)
  const id = useId()
  const sharedAs = name.replace(/\s+/g, ' ').trim()
  const end = lastDay === '' ? undefined : instantOfLocal(`${dayAfter(lastDay)}T00:00`, zone)
  const validUntil = end === undefined ? null : new Date(end).toISOString()
  const isNothing = chosen?.length === 0
  const submit = (event: Event) => {
    event.preventDefault()
    if (isNothing) return
    void give({
      patientUid,
      doctorId: doctor.doctorId,
      permission,
      readingTypes: chosen === null ? undefined : [...chosen],
      validUntil: validUntil ?? undefined,
      sharedAs: sharedAs || undefined,
      contact: contact.trim() || undefined,
    })
  }
  const terms = { permission, readingTypes: chosen && [...chosen], validUntil, sharedAs: sharedAs || null }
  return (
    <form class="panel stack form" onSubmit={submit}>
      <div class="field">
        <span class="label">Doctor</span>
        <span class="row">
          <span dir="auto">{[doctorText(namedDoctor(doctor)), doctor.city].filter(Boolean).join(', ')}</span>
          <Link class="link" address={address} to={{ query: { doctor: undefined } }}>
            Choose another
          </Link>
        </span>
      </div>
      <WhoseChoice patientUid={patientUid} address={address} />
      <TypeChoice types={types} chosen={chosen} choose={setChosen} legend="Kinds of readings to share" />
      <PermissionChoice permission={permission} choose={setPermission} />
      <LastDayChoice lastDay={lastDay} zone={zone} choose={setLastDay} />
      <NameField name={name} patientUid={patientUid} choose={setName} />
      <TextField
        label={words.sharing.contact}
        hint={words.sharing.contactHint}
        maxLength={MAX_CONTACT}
        value={contact}
        set={setContact}
      />
      <p class="notice form-summary" id={`${id}-summary`}>
        <span dir="auto">
          {isNothing
            ? 'Choose at least one kind of reading.'
            : `${doctor.name} will see ${whatText(terms)} of ${patientUid}${termsAfter(terms, zone)}.`}
        </span>
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="row">
        <button
          type="submit"
          class="button primary"
          disabled={isBusy || isNothing}
          aria-describedby={`${id}-summary`}
        >
          <span class="clamp one" dir="auto">
            {isBusy
              ? 'One moment…'
              : `${before?.state === 'given' ? 'Save for' : 'Share readings of'} ${patientUid}`}
          </span>
        </button>
        <Link class="button" address={address} to={{ path: 'sharing' }}>
          Cancel
        </Link>
      </div>
    </form>
  )
}

function useGive({ rounds, address }: Pick<FormProps, 'rounds' | 'address'>) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const give = async (grant: GrantToAdd) => {
    setBusy(true)
    setError(undefined)
    try {
      await rounds.grants.add(grant)
      address.go({ path: 'sharing' })
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return { error, isBusy, give }
}

type WhoseProps = Pick<ScreenProps, 'patientUid' | 'address'>

/** A carer of several chooses it here too: the form must never be for another child than was meant. */
function WhoseChoice({ patientUid, address }: WhoseProps) {
  const { patientUids } = useApp().session.person
  const id = useId()
  if (patientUids.length < 2) return null
  return (
    <div class="field">
      <label for={id}>Whose readings?</label>
      <select
        id={id}
        class="input"
        value={patientUid}
        onChange={({ currentTarget }) => address.go({ query: { patient: currentTarget.value } })}
      >
        {patientUids.map((uid) => (
          <option key={uid} value={uid}>
            {uid}
          </option>
        ))}
      </select>
    </div>
  )
}

type NameProps = { name: string; patientUid: string; choose: (name: string) => void }

function NameField({ name, patientUid, choose }: NameProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>Name that this doctor sees (optional)</label>
      <input
        id={id}
        class="input"
        dir="auto"
        maxLength={MAX_NAME}
        autocomplete="off"
        value={name}
        onInput={({ currentTarget }) => choose(currentTarget.value)}
        aria-describedby={`${id}-hint`}
      />
      <span class="hint" id={`${id}-hint`}>
        Such as “Mia Example, born 2017”. Without it this doctor sees the id <bdi>{patientUid}</bdi>.
      </span>
    </div>
  )
}

type PermissionProps = { permission: Grant['permission']; choose: (permission: Grant['permission']) => void }

function PermissionChoice({ permission, choose }: PermissionProps) {
  return (
    <>
      <Radios
        legend={words.sharing.whatMay}
        choices={[
          ['view', words.sharing.view, words.sharing.viewHint],
          ['manage', words.sharing.manage, words.sharing.manageHint],
        ]}
        chosen={permission}
        choose={choose}
      />
      <p class="hint">{words.sharing.noDoctorCan}</p>
    </>
  )
}

const DAYS_OF_VIEW = 90

const USUAL: [name: string, days: number | undefined][] = [
  ['No end', undefined],
  ['30 days', 30],
  ['90 days', 90],
  ['A year', 365],
]

type LastDayProps = {
  /** As an input of the type date has it; empty for no end. */
  lastDay: string
  zone: string
  choose: (lastDay: string) => void
}

function LastDayChoice({ lastDay, zone, choose }: LastDayProps) {
  const id = useId()
  const inDays = (days: number | undefined) => (days === undefined ? '' : dayIn(days, zone))
  return (
    <div class="field">
      <span class="label">Until when?</span>
      <div class="seg" role="group" aria-label="Until when?">
        {USUAL.map(([name, days]) => (
          <button
            key={name}
            type="button"
            aria-pressed={lastDay === inDays(days)}
            onClick={() => choose(inDays(days))}
          >
            {name}
          </button>
        ))}
      </div>
      <label class="share-last" for={id}>
        Last day
      </label>
      <input
        id={id}
        class="input"
        type="date"
        min={dayOf(Date.now(), zone)}
        max={MAX_DATE}
        value={lastDay}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <span class="hint">
        {lastDay === ''
          ? 'You can stop sharing at any time.'
          : `The doctor sees nothing after ${dateText(Date.parse(`${lastDay}T12:00Z`), 'UTC')}. You can stop sharing earlier.`}
      </span>
    </div>
  )
}

const dayIn = (days: number, zone: string) => dayOf(Date.now() + days * DAY_MS, zone)
const dayOf = (at: number, zone: string) => localInput(at, zone).slice(0, 10)
const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

/** Whoever goes on sharing does not mean the end that comes. */
function givenDay({ before, doctor, zone, address }: FormProps): string | undefined {
  const isRenewal = address.query.get('renew') === doctor.doctorId
  return before && !isRenewal ? lastDayOf(before, zone) : undefined
}

/** Of a grant that has ended, no end: it would end at once again. */
function lastDayOf({ validUntil }: Grant, zone: string): string {
  const end = Date.parse(validUntil ?? '')
  return end > Date.now() ? dayOf(end - 1, zone) : ''
}
