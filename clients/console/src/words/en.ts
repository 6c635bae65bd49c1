// The sentences in English, by subject.
import { access } from './en/access.ts'
import { account } from './en/account.ts'
import { add } from './en/add.ts'
import { charts } from './en/charts.ts'
import { directory } from './en/directory.ts'
import { errors } from './en/errors.ts'
import { frame } from './en/frame.ts'
import { kit } from './en/kit.ts'
import { names } from './en/names.ts'
import { overview } from './en/overview.ts'
import { parent } from './en/parent.ts'
import { patients } from './en/patients.ts'
import { plan, ruleForm, targetForm } from './en/plan.ts'
import { reasons } from './en/reasons.ts'
import { reports } from './en/reports.ts'
import { ruleWords } from './en/rules.ts'
import { sharing } from './en/sharing.ts'
import { start } from './en/start.ts'
import { targetWords } from './en/targets.ts'
import { terms } from './en/terms.ts'
import { timeline } from './en/timeline.ts'
import { times } from './en/times.ts'
import { today } from './en/today.ts'

export const english = {
  access,
  account,
  add,
  charts,
  directory,
  errors,
  frame,
  kit,
  names,
  overview,
  parent,
  patients,
  plan,
  reasons,
  reports,
  ruleForm,
  ruleWords,
  sharing,
  start,
  targetForm,
  targetWords,
  terms,
  timeline,
  times,
  today,
}
