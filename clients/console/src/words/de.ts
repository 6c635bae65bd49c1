// The sentences in German, by subject.
import { access } from './de/access.ts'
import { account } from './de/account.ts'
import { add } from './de/add.ts'
import { charts } from './de/charts.ts'
import { directory } from './de/directory.ts'
import { errors } from './de/errors.ts'
import { frame } from './de/frame.ts'
import { kit } from './de/kit.ts'
import { names } from './de/names.ts'
import { overview } from './de/overview.ts'
import { parent } from './de/parent.ts'
import { patients } from './de/patients.ts'
import { plan, ruleForm, targetForm } from './de/plan.ts'
import { reasons } from './de/reasons.ts'
import { reports } from './de/reports.ts'
import { ruleWords } from './de/rules.ts'
import { sharing } from './de/sharing.ts'
import { start } from './de/start.ts'
import { targetWords } from './de/targets.ts'
import { terms } from './de/terms.ts'
import { timeline } from './de/timeline.ts'
import { times } from './de/times.ts'
import { today } from './de/today.ts'
import type { english } from './en.ts'

export const german: typeof english = {
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
