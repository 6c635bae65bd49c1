// Starts the console: configuration, sign-in, then the frame.
import { render } from 'preact'
import { createRoundsClient } from '../../typescript/src/client.ts'
import { screenOf } from './address.ts'
import { type App, AppContext } from './app.ts'
import { type BringIn, CHOOSING } from './bring-in/bring-in.ts'
import type { QueueCounts } from './care/queues.tsx'
import type { Undoable } from './care/undo-look.tsx'
import { type ConsoleConfig, readConfig } from './config.ts'
import './ui/base.css'
import './ui/controls.css'
import { createDoctorNames } from './directory/doctor-names.ts'
import { type Catalogue, catalogueOf } from './format/reading-text.ts'
import { createStore } from './hooks/store.ts'
import { Frame } from './layout/frame.tsx'
import { preloadScreens, screenAt } from './layout/screens.ts'
import { applyTheme, chosenTheme } from './layout/theme.ts'
import { createOutbox } from './outbox/outbox.ts'
import { createNewestOfPatients } from './patients/newest-of-patients.ts'
import { createPatientAccess } from './patients/patient-access.ts'
import { createSharingPatients } from './patients/sharing-patients.ts'
import { forgetSignedOut, type Session, signedOutState, startSession } from './session/session.ts'
import { CannotStart, SignedOut } from './session/without-session.tsx'
import { createChoices } from './storage/choices.ts'
import { createKept } from './storage/kept-values.ts'
import { chooseLanguage, LANGUAGE, languageOfBrowser } from './words/language.ts'
import { areWordsThere, loadWords, WITHOUT_WORDS } from './words/words.ts'

const PRELOAD_AFTER_MS = 1_000

const root = document.querySelector('#app') ?? document.body

/** Until it fails: a second one would take the place of the first, which is on its way to the issuer. */
let starting: Promise<void> | undefined
function start() {
  starting ??= tryToStart()
}

async function tryToStart() {
  try {
    // Its code is on its way while the configuration and the session are.
    void screenAt(screenOf(location.pathname))
      ?.load()
      .catch(() => undefined)
    const [config] = await Promise.all([readConfig(), loadWords()])
    const session = await startSession(config, showSignedOut)
    // The browser is on its way to the issuer.
    if (!session) return
    // Staff begin with a patient's own screens, which speak English alone.
    const { doctorId, isStaff } = session.person
    const language = doctorId !== undefined && !isStaff ? languageOfBrowser() : undefined
    if (language !== undefined) {
      chooseLanguage(language)
      return
    }
    const app = createApp(session, config)
    render(
      <AppContext.Provider value={app}>
        <Frame />
      </AppContext.Provider>,
      root,
    )
    whenIdle(() => {
      if (signedOutState()) return
      void preloadScreens(session.person, app)
      void registerServiceWorker()
    })
  } catch (error) {
    // Where only the configuration failed, they may still be on their way.
    await loadWords().catch(() => undefined)
    starting = undefined
    // Where the words did not come, these two sentences are all that can be said.
    if (areWordsThere()) render(<CannotStart error={error} onRetry={start} />, root)
    else sayWithoutWords()
  }
}

function sayWithoutWords() {
  root.textContent = WITHOUT_WORDS
}

/** After the first screen: what may be needed later must not delay it. */
function whenIdle(work: () => void) {
  const idle = () => (globalThis.requestIdleCallback ?? setTimeout)(workOnline)
  // Without a network all of it would be asked for in vain. One that is back needs a moment too, until it carries anything.
  const workOnline = () => {
    if (navigator.onLine) work()
    else addEventListener('online', () => whenIdle(work), { once: true })
  }
  setTimeout(idle, PRELOAD_AFTER_MS)
}

/** Without a service worker (a page without TLS, a private window), the console needs the network to start. */
async function registerServiceWorker() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Each start asks whether there is a new one, past every cache.
  const options = { scope: '/console/', updateViaCache: 'none' } as const
  await navigator.serviceWorker.register('/console/service-worker.js', options).catch(() => undefined)
}

type Addresses = Pick<
  ConsoleConfig,
  'casesheetUrl' | 'appointmentsUrl' | 'careUrl' | 'alerts' | 'emergencyNumber'
>

function createApp(session: Session, addresses: Addresses): App {
  const { subject, patientUids } = session.person
  const kept = createKept(subject)
  const access = createPatientAccess((url, init) => fetch(url, init), kept)
  const choices = createChoices(subject)
  const absolute = (url: string) => new URL(url, location.origin).href
  const rounds = createRoundsClient({
    casesheetUrl: absolute(addresses.casesheetUrl),
    appointmentsUrl: absolute(addresses.appointmentsUrl),
    ...(addresses.careUrl !== undefined && { careUrl: absolute(addresses.careUrl) }),
    token: session.token,
    fetch: access.fetch,
  })
  let catalogue: Promise<Catalogue> | undefined
  return {
    session,
    rounds,
    hasCare: addresses.careUrl !== undefined,
    hasAlerts: addresses.careUrl !== undefined && addresses.alerts === true,
    emergencyNumber: addresses.emergencyNumber,
    kept,
    choices,
    access,
    doctorNames: createDoctorNames(rounds),
    sharingPatients: createSharingPatients(rounds),
    queueCounts: createStore<QueueCounts>(undefined),
    worklist: createStore<readonly string[]>([]),
    lastLook: createStore<Undoable | undefined>(undefined),
    newestOfPatients: createNewestOfPatients(rounds, kept, patientUids),
    outbox: createOutbox(rounds, subject),
    bringIn: createStore<BringIn>(CHOOSING),
    async catalogue() {
      const known = kept.catalogue()
      if (!catalogue && known && !navigator.onLine) return catalogueOf(known)
      catalogue ??= rounds.listReadingTypes().then(
        ({ data }) => {
          kept.keepCatalogue(data)
          return catalogueOf(data)
        },
        (error: unknown) => {
          catalogue = undefined
          if (known) return catalogueOf(known)
          throw error
        },
      )
      return catalogue
    },
  }
}

/** Whether that is what there is to show. */
function showSignedOut(): boolean {
  const state = signedOutState()
  if (!state) return false
  const signIn = () => {
    forgetSignedOut()
    starting = undefined
    start()
  }
  render(<SignedOut state={state} onSignIn={signIn} />, root)
  return true
}

applyTheme(chosenTheme())
document.documentElement.lang = LANGUAGE
if (signedOutState()) void loadWords().then(showSignedOut, sayWithoutWords)
else start()
