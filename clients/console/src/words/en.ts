// The sentences in English, by subject.
import { account } from './en/account.ts'
import { start } from './en/start.ts'

export const english = { account, start }
