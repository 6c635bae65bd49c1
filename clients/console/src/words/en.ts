// The sentences in English, by subject.
import { access } from './en/access.ts'
import { account } from './en/account.ts'
import { charts } from './en/charts.ts'
import { directory } from './en/directory.ts'
import { errors } from './en/errors.ts'
import { frame } from './en/frame.ts'
import { kit } from './en/kit.ts'
import { names } from './en/names.ts'
import { overview } from './en/overview.ts'
import { patients } from './en/patients.ts'
import { plan, ruleForm, targetForm } from './en/plan.ts'
import { reasons } from './en/reasons.ts'
import { reports } from './en/reports.ts'
import { ruleWords } from './en/rules.ts'
import { start } from './en/start.ts'
import { targetWords } from './en/targets.ts'
import { terms } from './en/terms.ts'
import { timeline } from './en/timeline.ts'
import { times } from './en/times.ts'

export const english = {
  access,
  account,
  charts,
  directory,
  errors,
  frame,
  kit,
  names,
  overview,
  patients,
  plan,
  reasons,
  reports,
  ruleForm,
  ruleWords,
  start,
  targetForm,
  targetWords,
  terms,
  timeline,
  times,
}
