// The rules that doctors have about a patient, in sentences, and how they end.
import { useApp } from '../../app.ts'
import { ruleText } from '../../care/rule-text.ts'
import { SeverityMark } from '../../care/severity-mark.tsx'
import { sentenceCase } from '../../format/sentence-case.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'

/** `version`: another one once something else is shared. */
export function RulesAboutMe({ rounds, patientUid, version }: ScreenProps & { version: number }) {
  const { hasAlerts } = useApp()
  const { data, error, reload } = useLoad(
    [patientUid, hasAlerts],
    async (signal) => (hasAlerts ? (await rounds.rules.list({ patientUid }, { signal })).data : []),
    [version],
  )
  const rules = data?.filter(({ isSuspended }) => !isSuspended)
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
  if (!rules || rules.length === 0) return null
  return (
    <section aria-labelledby="rules-heading">
      <h2 id="rules-heading">{words.sharing.rules}</h2>
      <p class="muted">{words.sharing.rulesEnd}</p>
      <ul class="panel moments">
        {rules.map((rule) => (
          <li key={rule.ruleId}>
            <bdi class="subject">{rule.author.name}</bdi>
            <span>
              <SeverityMark severity={rule.severity} /> {sentenceCase(ruleText(rule))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
