// Starts the console: configuration, sign-in, then the frame.
import { render } from 'preact'
import { createRoundsClient } from '../../typescript/src/client.ts'
import { screenOf } from './address.ts'
import { type App, AppContext } from './app.ts'
import { readConfig } from './config.ts'
import './design/base.css'
import './design/controls.css'
import { Frame } from './frame/frame.tsx'
import { screenAt } from './frame/screens.ts'
import { applyTheme, chosenTheme } from './frame/theme.ts'
import { createOutbox } from './outbox/outbox.ts'
import { createRequestLog } from './request-log.ts'
import { forgetSignedOut, type Session, signedOutState, startSession } from './session/session.ts'
import { CannotStart, SignedOut } from './session/without-session.tsx'
import { type Catalogue, catalogueOf } from './words/reading-text.ts'

const root = document.querySelector('#app') ?? document.body

async function start() {
  try {
    // Its code is on its way while the configuration and the session are.
    void screenAt(screenOf(location.pathname))
      ?.load()
      .catch(() => undefined)
    const config = await readConfig()
    const session = await startSession(config, showSignedOut)
    // The browser is on its way to the issuer.
    if (!session) return
    const app = createApp(session, config)
    render(
      <AppContext.Provider value={app}>
        <Frame />
      </AppContext.Provider>,
      root,
    )
  } catch (error) {
    render(<CannotStart error={error} onRetry={() => void start()} />, root)
  }
}

function createApp(session: Session, addresses: { casesheetUrl: string; appointmentsUrl: string }): App {
  const requests = createRequestLog((url, init) => fetch(url, init))
  const absolute = (url: string) => new URL(url, location.origin).href
  const rounds = createRoundsClient({
    casesheetUrl: absolute(addresses.casesheetUrl),
    appointmentsUrl: absolute(addresses.appointmentsUrl),
    token: session.token,
    fetch: requests.fetch,
  })
  let catalogue: Promise<Catalogue> | undefined
  return {
    session,
    rounds,
    requests,
    outbox: createOutbox(rounds, session.person.subject),
    catalogue() {
      catalogue ??= rounds.listReadingTypes().then(
        ({ data }) => catalogueOf(data),
        (error: unknown) => {
          catalogue = undefined
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
    void start()
  }
  render(<SignedOut state={state} onSignIn={signIn} />, root)
  return true
}

applyTheme(chosenTheme())
if (!showSignedOut()) void start()
