// What stands around every screen: navigation, whose readings, in which zone, the state of the connection. The address says which
// screen is shown.
import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { RoundsError } from '../../../typescript/src/client.ts'
import { type Address, useAddress } from '../address.ts'
import { useApp } from '../app.ts'
import { browserZone } from '../format/times.ts'
import { useStored } from '../hooks/store.ts'
import { useRetry } from '../hooks/use-retry.ts'
import { LiveContext, useWatch } from '../live/live.ts'
import type { ScreenProps } from '../screen.ts'
import { patientFor } from '../session/patient-for.ts'
import { mayChooseLanguage, type Person } from '../session/person.ts'
import { Link } from '../ui/link.tsx'
import { Empty, ErrorNotice, Loading } from '../ui/notice.tsx'
import { Account } from './account.tsx'
import './frame.css'
import { forgetLanguage, LANGUAGE } from '../words/language.ts'
import { words } from '../words/words.ts'
import { Navigation } from './navigation.tsx'
import { LimitedTo, PatientChip, PatientForm, Refused } from './patient.tsx'
import { RecordHead } from './record.tsx'
import { EVERYONE, FOR_ALL, MY_PATIENTS } from './screen-names.ts'
import { type ScreenEntry, screenAt, titleOf } from './screens.ts'
import { Banners, LiveLight } from './status.tsx'
import { ZoneSwitch, zoneFor } from './zone.tsx'

/** Where no change of one patient is waited for. */
const WITHOUT_PATIENT = new Set([EVERYONE, MY_PATIENTS, FOR_ALL, 'bring-in'])

/** A language that its person cannot choose is that of whoever used this browser before. */
export function Frame() {
  const isOfAnother = LANGUAGE !== 'en' && !mayChooseLanguage(useApp().session.person)
  useLayoutEffect(() => {
    if (isOfAnother) forgetLanguage()
  }, [isOfAnother])
  return isOfAnother ? null : <WholeFrame />
}

function WholeFrame() {
  const { session, rounds, outbox, choices, access } = useApp()
  const { person } = session
  const address = useAddress()
  const { path } = address
  const patientUid = patientFor(person, address)
  const zone = zoneFor(address, choices.get().zone)
  const screen = screenAt(path)
  // Only the patient, and those who care for them, may add.
  const isOwn = patientUid !== undefined && person.patientUids.includes(patientUid)
  const hasSeveral = person.patientUids.length > 1
  const { refusal, limitedTo } = useStored(access.known).get(patientUid ?? '') ?? {}
  const isWatched = path !== '' && !WITHOUT_PATIENT.has(path) && refusal === undefined
  const live = useWatch(rounds, isWatched ? patientUid : undefined)
  useEffect(() => {
    if (live.state === 'live') outbox.flush()
  }, [live.state])
  const start = startOf(person)
  const heading = useStartOfScreen(address, screen, start)
  useShareableAddress(address, { isOfPatient: screen?.ofPatient === true, hasSeveral, patientUid, zone })
  const showsPatient = screen?.ofPatient === true && patientUid !== undefined
  const isForAll = screen?.mayBeForAll === true && person.doctorId !== undefined
  const isRecord = showsPatient && person.doctorId !== undefined && !person.isStaff && !isOwn
  const state = (
    <>
      <ZoneSwitch zone={zone} patientZone={person.zone} address={address} />
      {isWatched && <LiveLight />}
    </>
  )
  return (
    <LiveContext.Provider value={live}>
      <a class="skip" href="#content">
        {words.frame.skip}
      </a>
      <div class="app">
        <Navigation address={address} person={person} patientUid={patientUid} />
        <main id="content" tabIndex={-1} class={path === MY_PATIENTS ? 'is-list' : undefined}>
          <header class="top">
            {isRecord ? (
              <RecordHead {...{ patientUid, zone, address, heading }} level={1}>
                {state}
              </RecordHead>
            ) : (
              <>
                <h1 ref={heading} tabIndex={-1}>
                  {screen ? titleOf(path) : words.frame.nothingHere}
                </h1>
                {showsPatient && <PatientChip person={person} patientUid={patientUid} address={address} />}
                {showsPatient && state}
              </>
            )}
            <span class="narrow-only">
              <Account />
            </span>
          </header>
          <Banners address={address} zone={zone} isRefusalShown={path === 'add' && isOwn} />
          {showsPatient && limitedTo && <LimitedTo patientUid={patientUid} types={limitedTo} />}
          {screen?.ofPatient && patientUid === undefined && !isForAll ? (
            <ChoosePatient person={person} address={address} />
          ) : showsPatient && refusal !== undefined ? (
            <Refused key={patientUid} refusal={refusal} patientUid={patientUid} address={address} />
          ) : screen ? (
            <Shown
              key={`${path} ${screen.ofPatient ? patientUid : ''}`}
              screen={screen}
              props={{ rounds, patientUid: patientUid ?? '', zone, address }}
            />
          ) : (
            path !== '' && <NoSuchPage />
          )}
        </main>
      </div>
    </LiveContext.Provider>
  )
}

/** The screen that a person begins with. */
function startOf({ doctorId, patientUids }: Person): string {
  if (doctorId !== undefined) return MY_PATIENTS
  return patientUids.length > 1 ? EVERYONE : 'today'
}

/** Where the heading goes. A reader with a screen reader, or a keyboard, begins each new screen at its top. */
function useStartOfScreen(address: Address, screen: ScreenEntry | undefined, start: string) {
  const { path } = address
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  const cursor = address.query.get('cursor')
  useEffect(() => {
    // Another page of a list begins at its top too, but typing into a search must not lose the focus.
    if (isFirst.current || document.activeElement?.matches('input, select')) return
    heading.current?.focus()
    scrollTo(0, 0)
  }, [cursor])
  useEffect(() => {
    if (path === '') address.go({ path: start }, { replace: true })
    document.title = screen ? `${titleOf(path)} · Rounds` : 'Rounds'
    if (!isFirst.current) heading.current?.focus()
    if (path !== '') isFirst.current = false
    scrollTo(0, 0)
  }, [path])
  return heading
}

function useShareableAddress(
  address: Address,
  shown: { isOfPatient: boolean; hasSeveral: boolean; patientUid: string | undefined; zone: string },
) {
  const { isOfPatient, hasSeveral, patientUid, zone } = shown
  useEffect(() => {
    // A link shows the times that its sender saw, also where the zone was chosen long ago.
    if (isOfPatient && !address.query.has('zone') && zone !== browserZone())
      address.go({ query: { zone } }, { replace: true })
  }, [zone, address.path])
  useEffect(() => {
    // A carer's link must say whose readings it shows.
    if (isOfPatient && hasSeveral && patientUid !== undefined && !address.query.has('patient'))
      address.go({ query: { patient: patientUid } }, { replace: true })
  }, [patientUid, address.path])
}

function NoSuchPage() {
  return (
    <Empty title={words.frame.noSuchPage}>
      <a href="/console/today">{words.frame.goToToday}</a>
    </Empty>
  )
}

function ChoosePatient({ person, address }: { person: Person; address: Address }) {
  if (!person.isStaff && person.doctorId !== undefined) {
    return (
      <Empty title={words.frame.choosePatientFirst}>
        <Link class="button" address={address} to={{ path: MY_PATIENTS }}>
          {titleOf(MY_PATIENTS)}
        </Link>
      </Empty>
    )
  }
  if (!person.isStaff) {
    return (
      <Empty title={words.frame.noPatientInSignIn}>
        <span>{words.frame.askToConnect}</span>
      </Empty>
    )
  }
  return (
    <section class="panel choose" aria-label={words.frame.choosePatient}>
      <h2>{words.frame.whoseReadings}</h2>
      <PatientForm address={address} />
    </section>
  )
}

function Shown({ screen, props }: { screen: ScreenEntry; props: ScreenProps }) {
  const [loaded, setLoaded] = useState<{ Screen: ComponentType<ScreenProps> }>()
  const [error, setError] = useState<unknown>()
  // A fault in one screen leaves the frame, and so the way to the others.
  const [fault, resetFault] = useErrorBoundary((thrown: unknown) => reportError(thrown))
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const load = async () => {
      try {
        const Screen = await screen.load()
        if (isCurrent) setLoaded({ Screen })
      } catch (failure) {
        if (isCurrent) setError(navigator.onLine ? failure : unreachable(failure))
      }
    }
    void load()
    return () => {
      isCurrent = false
    }
  }, [screen, round])
  const failure = fault ?? error
  const retry = () => {
    resetFault()
    setError(undefined)
    setRound((number) => number + 1)
  }
  useRetry(error, retry)
  if (failure !== undefined) {
    return <ErrorNotice error={failure} onRetry={retry} />
  }
  if (loaded) return <loaded.Screen {...props} />
  return <Loading lines={3} height={120} />
}

function unreachable(cause: unknown): RoundsError {
  const message = 'The screen could not be loaded.'
  return new RoundsError({ code: 'ConnectionFailed', message, retryable: true, cause })
}
