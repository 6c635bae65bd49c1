// Texts that a client sends back unread, encrypted: a place in a list may be that of something the client may not see.
// Each is of one patient: with another, whose readings the client knows, it would tell when the hidden one was received.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createHiddenTexts(key: Buffer) {
  const cipherKey = Buffer.from(hkdfSync('sha256', key, '', 'rounds fhir hidden texts', 32))

  function hide(text: string, patientUid: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, cipherKey, nonce).setAAD(Buffer.from(patientUid))
    const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')
  }

  /** Undefined for what was not hidden with this key for this patient. */
  function textIn(hidden: string, patientUid: string): string | undefined {
    const bytes = Buffer.from(hidden, 'base64url')
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
    const decipher = createDecipheriv(CIPHER, cipherKey, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(patientUid))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  return { hide, textIn }
}
