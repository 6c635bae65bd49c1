// An app's sign-in at the issuer of `rounds dev`, by authorization code and PKCE.
import { createHash } from 'node:crypto'
import { decodeJwt, type JWTPayload } from 'jose'

const VERIFIER = 'a-verifier-of-forty-three-characters-or-more-'

type TokenAnswer = { access_token: string; refresh_token?: string; patient?: string }
type SignedIn = TokenAnswer & { status: number; mayReadAnswer: string | null; claims: JWTPayload }
const NO_ANSWER = { access_token: '', mayReadAnswer: null, claims: {} }

export type App = { redirectUri?: string; client?: string; also?: Record<string, string> }

/** Signs in at the issuer as an app does, and returns the answer of the token endpoint. */
export async function signInAt(
  issuerUrl: string,
  {
    person,
    scope,
    redirectUri = 'http://localhost:5173/callback',
    client = 'rounds-app',
    also = {},
  }: App & { person: string; scope: string },
): Promise<SignedIn> {
  const asked = new URLSearchParams({
    client_id: client,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const cookies = new Map<string, string>()
  const visit = async (address: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(address, issuerUrl), {
      ...init,
      headers: { cookie },
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const started = await visit(`/auth?${asked.toString()}`)
  if (started.status >= 400) return { ...NO_ANSWER, status: started.status }
  const page = started.headers.get('location') ?? ''
  const chosen = await visit(page, { method: 'POST', body: new URLSearchParams({ person }) })
  let location = chosen.headers.get('location') ?? ''
  while (location.startsWith(issuerUrl)) location = (await visit(location)).headers.get('location') ?? ''
  const back = new URL(location)
  const answer = await fetch(`${issuerUrl}/token`, {
    method: 'POST',
    // An app of the system has no origin.
    headers: back.protocol === 'http:' ? { origin: back.origin } : {},
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client,
      code: back.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: VERIFIER,
      ...also,
    }),
  })
  const body = Object(await answer.json()) as TokenAnswer
  return {
    ...body,
    status: answer.status,
    mayReadAnswer: answer.headers.get('access-control-allow-origin'),
    claims: decodeJwt(body.access_token),
  }
}
