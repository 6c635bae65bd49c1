// The sentences in German, by subject.
import { account } from './de/account.ts'
import { start } from './de/start.ts'
import type { english } from './en.ts'

export const german: typeof english = { account, start }
