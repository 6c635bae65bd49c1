// What happened to the care of a patient, newest first: looks, symptoms, alerts, targets, rules, sharing, withdrawn readings.
import type { ReadingTypeEntry, TimelineEntry } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { rangesOf } from '../../care/in-target.ts'
import { ReviewNote } from '../../care/reviews.tsx'
import { ruleText } from '../../care/rule-text.ts'
import { rangesText } from '../../care/target-text.ts'
import { type Catalogue, severityWord } from '../../format/reading-text.ts'
import { sentenceCase } from '../../format/sentence-case.ts'
import { momentText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePages } from '../../hooks/use-pages.ts'
import type { ScreenProps } from '../../screen.ts'
import { Awaited } from '../../ui/notice.tsx'
import { ShowOlder } from '../../ui/show-older.tsx'
import { words } from '../../words/words.ts'
import { untilText } from '../sharing/grant-text.ts'

const PAGE = 20

export function Timeline({ rounds, patientUid, zone }: ScreenProps) {
  const { catalogue, session } = useApp()
  const { data: types } = useLoad('catalogue', () => catalogue())
  const now = useNow()
  const { items, error, reload, older } = usePages([patientUid], (page, signal) =>
    rounds.timeline.list({ patientUid, limit: PAGE, ...page }, { signal }),
  )
  const by = { types, zone, now, patientUid, doctorId: session.person.doctorId }
  return (
    <section class="panel" aria-labelledby="timeline-heading">
      <h2 id="timeline-heading">{words.timeline.title}</h2>
      {(!items || error !== undefined) && <Awaited {...{ error, reload }} lines={4} />}
      {items?.length === 0 && <p class="muted">{words.timeline.nothing}</p>}
      <ul class="timeline">
        {items?.map((entry) => (
          <li key={`${entry.at} ${entry.kind} ${sentenceOf(entry, by)}`}>
            <p class="row">
              <b>{words.timeline.kinds[entry.kind]}</b>{' '}
              <time class="small muted" dateTime={entry.at}>
                {momentText(entry.at, now, zone)}
              </time>
              {entry.kind === 'look' && entry.visibleTo !== null && (
                <span class="flag">
                  {entry.visibleTo === 'doctors' ? words.timeline.doctorsOnly : words.timeline.patientReads}
                </span>
              )}
            </p>
            <p dir="auto" class={isSevere(entry) ? 'is-severe' : undefined}>
              {sentenceOf(entry, by)}
            </p>
            {'note' in entry && <ReviewNote note={entry.note} />}
          </li>
        ))}
      </ul>
      <ShowOlder {...older} />
    </section>
  )
}

const isSevere = (entry: TimelineEntry) =>
  entry.kind === 'symptom' && entry.severity !== 'MILD' && entry.severity !== 'MODERATE'

type By = {
  types: Catalogue | undefined
  zone: string
  now: number
  patientUid: string
  doctorId: string | undefined
}

function sentenceOf(entry: TimelineEntry, { types, zone, now, patientUid, doctorId }: By): string {
  const { timeline } = words
  const by = entry.by === patientUid ? timeline.thePatient : (entry.by ?? 'Rounds')
  switch (entry.kind) {
    case 'look': {
      const again = entry.lookAgainAt === null ? undefined : momentText(entry.lookAgainAt, now, zone)
      const isUndone = entry.undoneAt !== null
      return entry.doctorId !== null && entry.doctorId === doctorId
        ? timeline.youLooked(again, isUndone)
        : timeline.look(by, again, isUndone)
    }
    case 'symptom':
      return timeline.symptom(sentenceCase(severityWord(entry.severity)), entry.symptom)
    case 'note':
      return entry.text
    case 'alert':
      return alertText(entry)
    case 'target': {
      const { readingType, isForAll } = entry.target
      const range = rangeOf(entry.target, types?.get(readingType))
      return timeline.target(by, entry.action, { name: nameWithin(readingType), isForAll, range })
    }
    case 'rule':
      return timeline.rule(by, entry.action, ruleText(entry.rule))
    case 'sharing':
      if (entry.action === 'revoked' || entry.action === 'expired') return timeline[entry.action]
      return timeline[entry.action](entry.permission === 'manage', untilText(entry, zone))
    // A withdrawal.
    default:
      return timeline.withdrawal(by, entry.action, entry.reason)
  }
}

/** Of one whose grant has ended nothing is said but that. */
function alertText({ event, why, label, sentTo }: Extract<TimelineEntry, { kind: 'alert' }>): string {
  const { timeline } = words
  const said = why ?? (label === null ? timeline.sharedNoMore : timeline.labelSharedNoMore(label))
  const isTold = event === 'opened' || event === 'reopened'
  return timeline.alert(event, said, isTold && sentTo.length === 0)
}

type Limits = Parameters<typeof rangesOf>[0]

function rangeOf(target: Limits, entry: ReadingTypeEntry | undefined): string {
  const ranges = rangesOf(target, entry)
  return ranges.length === 0 ? '' : rangesText(ranges)
}
