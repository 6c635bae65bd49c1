// What stands around every screen: navigation, whose readings, in which zone, the state of the connection. The address says which
// screen is shown.
import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { useAddress } from '../address.ts'
import { useApp } from '../app.ts'
import { Empty, ErrorNotice, Loading } from '../design/notice.tsx'
import { LiveContext, useWatch } from '../live/live.ts'
import type { ScreenProps } from '../screen.ts'
import { patientFor } from '../session/patient-for.ts'
import { Account } from './account.tsx'
import { AsCurl } from './as-curl.tsx'
import './frame.css'
import { Navigation } from './navigation.tsx'
import { PatientChip, PatientForm } from './patient.tsx'
import { type ScreenEntry, screenAt } from './screens.ts'
import { Banners, LiveLight } from './status.tsx'
import { ZoneSwitch, zoneFor } from './zone.tsx'

export function Frame() {
  const { session, rounds, requests, outbox } = useApp()
  const { person } = session
  const address = useAddress()
  const { path } = address
  const patientUid = patientFor(person, address)
  const zone = zoneFor(address)
  const screen = screenAt(path)
  // Only the patient, and those who care for them, may add.
  const isOwn = patientUid !== undefined && person.patientUids.includes(patientUid)
  const live = useWatch(rounds, patientUid)
  useEffect(() => {
    if (live.state === 'live') outbox.flush()
  }, [live.state])
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
    if (path === '') address.go({ path: 'today' }, { replace: true })
    document.title = screen ? `${screen.title} · Rounds` : 'Rounds'
    requests.clear()
    // A reader with a screen reader, or a keyboard, begins the new screen at its top.
    if (!isFirst.current) heading.current?.focus()
    if (path !== '') isFirst.current = false
    scrollTo(0, 0)
  }, [path])
  useEffect(() => {
    // A carer's link must say whose readings it shows.
    if (person.patientUids.length > 1 && patientUid !== undefined && !address.query.has('patient'))
      address.go({ query: { patient: patientUid } }, { replace: true })
  }, [patientUid, path])
  const showsPatient = screen?.ofPatient === true && patientUid !== undefined
  return (
    <LiveContext.Provider value={live}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="app">
        <Navigation address={address} mayAdd={isOwn} />
        <main id="content" tabIndex={-1}>
          <header class="top">
            <h1 ref={heading} tabIndex={-1}>
              {screen?.title ?? 'Nothing here'}
            </h1>
            {showsPatient && <PatientChip person={person} patientUid={patientUid} address={address} />}
            {showsPatient && <ZoneSwitch zone={zone} patientZone={person.zone} address={address} />}
            {showsPatient && <LiveLight />}
            <span class="narrow-only">
              <Account />
            </span>
          </header>
          <Banners address={address} zone={zone} isRefusalShown={path === 'add' && isOwn} />
          {screen?.ofPatient && patientUid === undefined ? (
            <ChoosePatient />
          ) : screen ? (
            <Shown
              key={`${path} ${screen.ofPatient ? patientUid : ''}`}
              screen={screen}
              props={{ rounds, patientUid: patientUid ?? '', zone, address }}
            />
          ) : (
            path !== '' && (
              <Empty title="There is no such page.">
                <a href="/console/today">Go to today’s readings</a>
              </Empty>
            )
          )}
          <AsCurl key={path} />
        </main>
      </div>
    </LiveContext.Provider>
  )

  function ChoosePatient() {
    if (!person.isStaff) {
      return (
        <Empty title="Your sign-in names no patient.">
          <span>Ask those who run this service to connect your account with your record.</span>
        </Empty>
      )
    }
    return (
      <section class="panel choose" aria-label="Choose a patient">
        <h2>Whose readings do you want to see?</h2>
        <PatientForm address={address} />
      </section>
    )
  }
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
        if (isCurrent) setError(failure)
      }
    }
    void load()
    return () => {
      isCurrent = false
    }
  }, [screen, round])
  const failure = fault ?? error
  if (failure !== undefined) {
    const retry = () => {
      resetFault()
      setError(undefined)
      setRound((number) => number + 1)
    }
    return <ErrorNotice error={failure} onRetry={retry} />
  }
  if (loaded) return <loaded.Screen {...props} />
  return <Loading lines={3} height={120} />
}
