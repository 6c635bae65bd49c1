// What needs the keys of a value: whether one was given twice or reaches for a prototype, and the pointer to a place in the
// text. Except for `countKeys` it runs only for a value within its limits that has been found wrong, so it need not be fast.
import { type FieldError, pointerPart } from '../../refusal.ts'

/**
 * How many keys a parsed value has at every depth. Of two equal keys the parser keeps one, in whatever spelling they came,
 * so the number falls short of what was written. It is -1 where a key reaches for a prototype.
 */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item !== 'object' || item === null) continue
      const inItem = countKeys(item)
      if (inItem === -1) return -1
      count += inItem
    }
    return count
  }
  const keys = Object.keys(value)
  for (const key of keys) {
    if (key === '__proto__') return -1
    const field = (value as Record<string, unknown>)[key]
    if (typeof field !== 'object' || field === null) continue
    if (key === 'constructor' && Object.hasOwn(field, 'prototype')) return -1
    const inField = countKeys(field)
    if (inField === -1) return -1
    count += inField
  }
  return count + keys.length
}

type Level = { keys: Set<string> | undefined; key: string; index: number }

/** The first key of a JSON text that stands there twice or reaches for a prototype, and where it stands. */
export function findBadKey(text: string): FieldError & { at: number } {
  let message = ''
  let keyAt = 0
  const levels = follow(text, (key, level, { parentKey, at }) => {
    keyAt = at
    if (level.keys?.has(key)) message = 'must not be given twice'
    else if (key === '__proto__' || (key === 'prototype' && parentKey === 'constructor'))
      message = 'is not a field name that can be stored'
    return message === ''
  })
  return { pointer: pointerOf(levels), message, at: keyAt }
}

/** The pointer to the last value or key of a text that breaks off behind it. */
export function pointerToEnd(text: string): string {
  return pointerOf(follow(text, () => true))
}

/** Follows a text down to where it ends or a key is not accepted. The text may break off anywhere. */
function follow(
  text: string,
  accept: (key: string, level: Level, place: { parentKey: string | undefined; at: number }) => boolean,
): Level[] {
  const levels: Level[] = []
  let level: Level | undefined
  let keyIsNext = false
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
      case '[':
        keyIsNext = text[at] === '{'
        level = { keys: keyIsNext ? new Set() : undefined, key: '', index: 0 }
        levels.push(level)
        break
      case '}':
      case ']':
        levels.pop()
        level = levels.at(-1)
        break
      case ',':
        keyIsNext = level?.keys !== undefined
        if (level && !keyIsNext) level.index++
        break
      case '"': {
        const end = endOfString(text, at)
        if (keyIsNext && level?.keys) {
          level.key = unescaped(text.slice(at, end))
          keyIsNext = false
          if (!accept(level.key, level, { parentKey: levels.at(-2)?.key, at })) return levels
          level.keys.add(level.key)
        }
        at = end - 1
      }
    }
  }
  return levels
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function unescaped(string: string): string {
  try {
    return String(JSON.parse(string))
  } catch {
    return string.slice(1, -1)
  }
}

function pointerOf(levels: Level[]): string {
  return levels.map(({ keys, key, index }) => (keys ? pointerPart(key) : `/${index}`)).join('')
}
