// The sentences in German, by subject.
import { account } from './de/account.ts'
import { errors } from './de/errors.ts'
import { frame } from './de/frame.ts'
import { kit } from './de/kit.ts'
import { names } from './de/names.ts'
import { start } from './de/start.ts'
import { times } from './de/times.ts'
import type { english } from './en.ts'

export const german: typeof english = { account, errors, frame, kit, names, start, times }
