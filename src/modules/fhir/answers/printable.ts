/** A name that a caller chose, as it may stand in a sentence. */
export function printable(name: string): string {
  return name.replace(/[^\w.:-]/g, '?').slice(0, 64) || '?'
}

/** A sentence without the characters that FHIR does not allow in a text: names of fields in it come from callers too. */
export function printableText(text: string): string {
  return text.replace(/[^\S ]|\p{Cc}/gu, '?')
}
