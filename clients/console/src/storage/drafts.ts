// The names of what is typed and not sent, in the session storage of the tab.
const PREFIX = 'rounds.draft '

export const draftKey = (...parts: string[]) => `${PREFIX}${JSON.stringify(parts)}`

export function removeDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}
