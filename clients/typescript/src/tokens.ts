// Where access tokens come from: the app's own function. Its refreshes are shared, because issuers that rotate refresh
// tokens end the session when two refreshes run at once.

/**
 * Gives an access token. It is asked before every request, so it should keep the token until it expires. When the service
 * has refused a token, it is asked once more with that token and should get a new one.
 */
export type TokenProvider = (refused?: string) => string | Promise<string>

export type Tokens = { current: () => Promise<string>; insteadOf: (refused: string) => Promise<string> }

export function shareTokens(provider: TokenProvider): Tokens {
  let refresh: Promise<string> | undefined
  let replaced: { refused: string; fresh: string } | undefined

  async function refreshNow(refused: string): Promise<string> {
    const fresh = mustBeToken(await provider(refused))
    if (fresh !== refused) replaced = { refused, fresh }
    return fresh
  }
  return {
    current: async () => refresh ?? mustBeToken(await provider()),
    async insteadOf(refused) {
      // A call that was under way with the old token while another call had it replaced.
      if (replaced?.refused === refused) return replaced.fresh
      refresh ??= refreshNow(refused).finally(() => {
        refresh = undefined
      })
      return refresh
    },
  }
}

function mustBeToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError('The token provider must give an access token, without "Bearer".')
}
