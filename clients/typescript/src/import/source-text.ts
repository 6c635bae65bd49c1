// Names of devices and apps, as `source` of a reading takes them: one line of up to 200 characters.

const MAX_CHARS = 200

/** Without what a name must not hold; nothing where nothing is left to see. */
function sourceText(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const line = text.replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+/gu, ' ').trim()
  const short = line.length <= MAX_CHARS ? line : Array.from(line).slice(0, MAX_CHARS).join('')
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(short) ? short : undefined
}

type Named = { name: string | undefined; [field: string]: string | undefined }

/** The fields that are known, if the name is. */
function named(fields: Named): { name: string } | undefined {
  const known = Object.entries(fields).flatMap(([field, value]) => {
    const text = sourceText(value)
    return text === undefined ? [] : [[field, text] as const]
  })
  const all = Object.fromEntries(known)
  const { name } = all
  return name === undefined ? undefined : { ...all, name }
}

export function importedFrom({ device, app }: { device?: Named; app?: Named }) {
  const [knownDevice, knownApp] = [device && named(device), app && named(app)]
  return {
    kind: 'import' as const,
    ...(knownDevice === undefined ? {} : { device: knownDevice }),
    ...(knownApp === undefined ? {} : { app: knownApp }),
  }
}
