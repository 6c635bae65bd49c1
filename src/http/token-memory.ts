// Tokens that were verified, and what is known of each. Bounded: when it is full, the oldest is forgotten. Tokens are
// kept as hashes: short, and of no use to whoever gets to see them.
import { hash } from 'node:crypto'

type TokenMemory<Known> = {
  recall: (token: string) => Known | undefined
  remember: (token: string, known: Known) => void
  size: () => number
}

export function createTokenMemory<Known>(mostTokens: number): TokenMemory<Known> {
  const knownByHash = new Map<string, Known>()
  return {
    recall: (token) => knownByHash.get(hashOf(token)),
    size: () => knownByHash.size,
    remember(token, known) {
      knownByHash.set(hashOf(token), known)
      const oldest = knownByHash.size > mostTokens ? knownByHash.keys().next().value : undefined
      if (oldest !== undefined) knownByHash.delete(oldest)
    },
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64')
}
