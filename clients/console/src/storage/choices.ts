// What a person has chosen and finds again: zone, units, types of charts. It is in the local storage of the browser, under the
// subject who signed in, and outlasts the session; it names no patient and holds no value. What the address says comes first.
const PREFIX = 'rounds.choices '

type Chosen = {
  /** Nothing where it is the browser's. */
  zone?: string | undefined
  units: string[]
  types: string[]
  /** False once a carer has said that no limit is to be asked for. */
  asksForLimit?: boolean | undefined
}

export type Choices = { get: () => Chosen; set: (part: Partial<Chosen>) => void }

export function createChoices(
  subject: string,
  storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
): Choices {
  const key = `${PREFIX}${subject}`
  const get = () => chosenIn(storage.getItem(key))
  return {
    get,
    set(part) {
      storage.setItem(key, JSON.stringify({ ...get(), ...part }))
    },
  }
}

/** Another release, or another page of the origin, may have written something else there. */
function chosenIn(text: string | null): Chosen {
  const stored: unknown = text === null ? {} : parsed(text)
  const { zone, units, types, asksForLimit } = Object(stored) as Record<string, unknown>
  return {
    ...(typeof zone === 'string' ? { zone } : {}),
    units: textsIn(units),
    types: textsIn(types),
    ...(asksForLimit === false ? { asksForLimit } : {}),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const textsIn = (list: unknown) =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string').slice(0, 50) : []
