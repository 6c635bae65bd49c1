// The keys that signed the tokens in use. A token is verified once, and a stream or a request that waits outlasts that: by its
// signing key it can see that the issuer has withdrawn the key since.
import { createPublicKey, KeyObject } from 'node:crypto'
import type { CryptoKey, JWK, JWTHeaderParameters } from 'jose'

/** Tokens with the same key and header share one. */
export type SigningKey = {
  /** Whether a token that was verified with it would still be. */
  isTrusted: () => boolean
}

/** As the header of a token, or an entry of a key set, names a key; `spki` is the key itself. */
type Named = { alg: string | undefined; kid: string | undefined; spki: string }

export function createSigningKeys(areKnown: () => boolean) {
  let published: Named[] = []
  const inUse = new Map<string, { named: Named; isPublished: boolean; key: SigningKey }>()
  const spkiOf = new WeakMap<CryptoKey, string>()

  // As a key is found for a token: what the header, or the entry of the key set, leaves open fits.
  const isPublished = ({ alg, kid, spki }: Named) =>
    published.some(
      (entry) =>
        entry.spki === spki &&
        (kid === undefined || entry.kid === kid) &&
        (entry.alg === undefined || entry.alg === alg),
    )

  return {
    /** These keys, and no others, are the issuer's from now on. */
    publish(keys: JWK[]) {
      published = keys.flatMap(nameOf)
      for (const [id, entry] of inUse) {
        entry.isPublished = isPublished(entry.named)
        if (!entry.isPublished) inUse.delete(id)
      }
    },
    of({ alg, kid }: Partial<JWTHeaderParameters>, cryptoKey: CryptoKey): SigningKey {
      const spki = spkiOf.get(cryptoKey) ?? printSpki(KeyObject.from(cryptoKey))
      spkiOf.set(cryptoKey, spki)
      const named = { alg, kid, spki }
      const id = JSON.stringify(named)
      const known = inUse.get(id)
      if (known) return known.key
      const entry = {
        named,
        // It may have been withdrawn while the token was being verified.
        isPublished: isPublished(named),
        key: { isTrusted: () => entry.isPublished && areKnown() },
      }
      if (entry.isPublished) inUse.set(id, entry)
      return entry.key
    },
  }
}

/** Nothing where the entry is no key: it verifies nothing either. */
function nameOf(jwk: JWK): Named[] {
  try {
    const spki = printSpki(createPublicKey({ key: { ...jwk }, format: 'jwk' }))
    return [{ alg: jwk.alg, kid: jwk.kid, spki }]
  } catch {
    return []
  }
}

function printSpki(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}
