// Sign-in by authorization code with PKCE, renewal by refresh token, sign-out. Tokens are in the session storage of the tab, so a
// reload keeps them and closing the tab removes them; they are never in local storage. There is no hidden frame: it would need the
// issuer's cookies, which browsers withhold from frames of other sites, and a wider content security policy.
import { ErrorResponse, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { RoundsError } from '../../../typescript/src/client.ts'
import type { ConsoleConfig } from '../config.ts'
import { removeDrafts } from '../storage/drafts.ts'
import { removeKept } from '../storage/kept-values.ts'
import { type Person, personOf } from './person.ts'

/** A token is renewed when less than this part of its life is left, or less than this time. */
const RENEW_AT_PART = 0.25
const RENEW_AT_MS = 60_000
const RETRY_MS = 5_000
/** An issuer that takes a request and never answers is one that cannot be reached. */
const ISSUER_WITHIN_S = 30

export type Session = {
  person: Person
  /** The access token for the next request; called with the one that was refused to get another. */
  token: (refused?: string) => Promise<string>
  /** Ends the session here, and at the issuer where that can be reached. `unsent` readings stay on the device. */
  signOut: (unsent: number) => Promise<void>
  /** Leads to the issuer and back to where one is now. */
  signInAgain: () => Promise<void>
  /** Calls when the issuer will renew no more: only signing in again helps. */
  onEnded: (listener: () => void) => void
}

/** So that the page to which the issuer leads back does not sign in at once again. */
const SIGNED_OUT = 'rounds.signed-out'
export type SignedOutState = { unsent: number; isEndedAtIssuer: boolean }
export function signedOutState(): SignedOutState | undefined {
  const stored = sessionStorage.getItem(SIGNED_OUT)
  return stored === null ? undefined : (JSON.parse(stored) as SignedOutState)
}
export const forgetSignedOut = () => sessionStorage.removeItem(SIGNED_OUT)
const rememberSignedOut = (state: SignedOutState) => sessionStorage.setItem(SIGNED_OUT, JSON.stringify(state))

/** The session of this tab; where there is none, leads to the issuer, and then nothing follows. */
export async function startSession(
  config: ConsoleConfig,
  onSignedOut: () => void,
): Promise<Session | undefined> {
  const manager = managerFor(config)
  const user = isReturning() ? await finishSignIn(manager) : await usableUser(manager)
  if (!user) {
    await signIn(manager)
    return undefined
  }
  return sessionOf(manager, user, { config, onSignedOut })
}

function managerFor(config: ConsoleConfig): UserManager {
  const store = new WebStorageStateStore({ store: sessionStorage })
  const home = `${location.origin}/console/`
  return new UserManager({
    authority: config.issuer,
    client_id: config.clientId,
    redirect_uri: home,
    post_logout_redirect_uri: home,
    response_type: 'code',
    scope: config.scope ?? 'openid profile',
    ...(config.resource === undefined ? {} : { resource: config.resource }),
    userStore: store,
    stateStore: store,
    automaticSilentRenew: false,
    monitorSession: false,
    loadUserInfo: false,
    requestTimeoutInSeconds: ISSUER_WITHIN_S,
  })
}

function isReturning(): boolean {
  const query = new URLSearchParams(location.search)
  return query.has('state') && (query.has('code') || query.has('error'))
}

async function finishSignIn(manager: UserManager): Promise<User | undefined> {
  try {
    const user = await manager.signinRedirectCallback()
    history.replaceState(null, '', wayBack(user.state))
    return user
  } catch (error) {
    // So that another attempt does not begin with the same answer.
    history.replaceState(null, '', '/console/')
    // The page was reloaded, or opened from the history: the code was used already.
    const user = await usableUser(manager)
    if (!user && error instanceof ErrorResponse) throw error
    return user
  }
}

/** Only a path of the console: the state comes back in an address that anyone may write. */
function wayBack(state: unknown): string {
  return typeof state === 'string' && state.startsWith('/console/') ? state : '/console/'
}

async function usableUser(manager: UserManager): Promise<User | undefined> {
  const user = await manager.getUser()
  if (!user) return undefined
  if (!user.expired || user.refresh_token !== undefined) return user
  return undefined
}

async function signIn(manager: UserManager) {
  await manager.signinRedirect({ state: `${location.pathname}${location.search}` })
}

type Deps = {
  config: ConsoleConfig
  /** The session has ended and the browser stays on this page. */
  onSignedOut: () => void
}

function sessionOf(manager: UserManager, first: User, { config, onSignedOut }: Deps): Session {
  let user = first
  let renewal: Promise<User> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  let isSignedOut = false
  const listeners: (() => void)[] = []

  const expiresAtMs = () => (user.expires_at ?? Number.POSITIVE_INFINITY) * 1_000
  let lifeMs = expiresAtMs() - Date.now()
  const renewAtMs = () => expiresAtMs() - Math.min(RENEW_AT_MS, Math.max(0, lifeMs) * RENEW_AT_PART)

  /** One at a time: issuers that rotate refresh tokens end the session when one is used twice. */
  function renew(): Promise<User> {
    renewal ??= renewNow().finally(() => {
      renewal = undefined
    })
    return renewal
  }
  async function renewNow(): Promise<User> {
    try {
      if (user.refresh_token === undefined) throw new Error('The issuer gave no refresh token.')
      const renewed = await manager.signinSilent()
      if (!renewed) throw new Error('The issuer gave no token.')
      user = renewed
      lifeMs = expiresAtMs() - Date.now()
      schedule(renewAtMs() - Date.now())
      return user
    } catch (cause) {
      // An answer of the issuer, or nothing to renew with; anything else is the network.
      if (cause instanceof ErrorResponse || user.refresh_token === undefined) throw ended(cause)
      schedule(RETRY_MS)
      const message = 'The place where you sign in cannot be reached.'
      throw new RoundsError({ code: 'ConnectionFailed', message, retryable: true, cause })
    }
  }
  function ended(cause: unknown): RoundsError {
    hasEnded = true
    for (const listener of listeners) listener()
    return noToken(cause)
  }
  function schedule(inMs: number) {
    clearTimeout(timer)
    if (hasEnded || inMs > 2 ** 31 - 1) return
    timer = setTimeout(() => void renew().catch(() => undefined), Math.max(inMs, 0))
  }
  schedule(renewAtMs() - Date.now())

  return {
    person: personOf(user.access_token, user.profile, config),
    async token(refused) {
      if (isSignedOut) throw noToken(undefined)
      const isUsable = refused !== user.access_token && Date.now() < expiresAtMs()
      if (isUsable) return user.access_token
      return (await renew()).access_token
    },
    async signOut(unsent) {
      clearTimeout(timer)
      hasEnded = true
      isSignedOut = true
      removeDrafts()
      removeKept()
      await endAtIssuer(manager, unsent, onSignedOut)
    },
    signInAgain: () => signIn(manager),
    onEnded(listener) {
      listeners.push(listener)
      if (hasEnded) listener()
    },
  }
}

async function endAtIssuer(manager: UserManager, unsent: number, onSignedOut: () => void) {
  try {
    // The browser would leave for a page that it cannot load.
    if (!navigator.onLine) throw new Error('There is no network.')
    rememberSignedOut({ unsent, isEndedAtIssuer: true })
    await manager.signoutRedirect()
  } catch {
    // An issuer without an end of sessions, or out of reach: this tab forgets the tokens all the same.
    await manager.removeUser()
    rememberSignedOut({ unsent, isEndedAtIssuer: false })
    // It names a patient.
    history.replaceState(null, '', '/console/')
    onSignedOut()
  }
}

function noToken(cause: unknown): RoundsError {
  const message = 'The sign-in has ended.'
  return new RoundsError({ code: 'TokenUnavailable', message, retryable: false, cause })
}
