// The secrets that sign webhooks, encrypted at rest. The database holds bytes that are worth nothing without WEBHOOK_KEY, which it
// never sees. The id of the endpoint is authenticated with them, so that the secret of one endpoint cannot be copied to another.
//
// Stored bytes: version (1), nonce (12), tag (16), then the encrypted text of the secret. AES-256-GCM.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES
const SECRET_BYTES = 32
export const SECRET_PREFIX = 'whsec_'

export type Secrets = ReturnType<typeof createSecrets>

/** A secret that this key cannot decrypt: it was encrypted under another key, for another endpoint, or it was altered. */
export class SecretUnreadable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SecretUnreadable'
  }
}

export function createSecrets(key: Buffer) {
  // The setting is at least 32 bytes, and may be more. The cipher takes exactly 32.
  const cipherKey = Buffer.from(hkdfSync('sha256', key, '', 'rounds webhook secrets', 32))
  const associated = (endpointId: string) => Buffer.from(`${VERSION}.${endpointId}`)

  return {
    /** Tells which key it is, and nothing more of it. */
    keyId: createHmac('sha256', key).update('rounds webhook key id').digest('hex').slice(0, 16),

    newSecret: (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`,

    encrypt(secret: string, endpointId: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, cipherKey, nonce).setAAD(associated(endpointId))
      const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), encrypted])
    },

    decrypt(bytes: Buffer, endpointId: string): string {
      if (bytes[0] !== VERSION || bytes.length <= HEAD_BYTES) {
        throw new SecretUnreadable(
          'The stored secret of the endpoint has a form that this release does not know.',
        )
      }
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, cipherKey, nonce, { authTagLength: TAG_BYTES })
        .setAAD(associated(endpointId))
        .setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8')
      } catch {
        throw new SecretUnreadable(
          'The stored secret of the endpoint cannot be decrypted: WEBHOOK_KEY is not the key under which it was stored, or the ' +
            'stored bytes were altered. Set the right key, or rotate the secret.',
        )
      }
    },
  }
}
