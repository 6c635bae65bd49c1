// The sentences in English, by subject.
import { account } from './en/account.ts'
import { errors } from './en/errors.ts'
import { frame } from './en/frame.ts'
import { kit } from './en/kit.ts'
import { names } from './en/names.ts'
import { start } from './en/start.ts'
import { times } from './en/times.ts'

export const english = { account, errors, frame, kit, names, start, times }
