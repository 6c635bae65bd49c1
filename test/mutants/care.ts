// Faults in what follows the readings of patients: the sequence of changes, streams, targets, lists, alerts, reports, erasure.
import type { Mutant } from './mutant.ts'

export const CARE: Mutant[] = [
  {
    name: 'changes-beyond-running-transactions',
    promise:
      'A consumer of readings/changes misses no change: a page ends below the oldest running transaction.',
    file: 'src/modules/feed/changes/read-changes.ts',
    from: "upTo: () => 'changed_xid < (select horizon from place)'",
    to: "upTo: () => 'changed_xid < (select next_xid from place)'",
    noticedBy: 'src/modules/feed/changes/feed-delay.test.ts',
  },
  {
    name: 'changes-cursor-of-an-empty-page',
    promise: 'A cursor whose page was empty stays good.',
    file: 'src/modules/feed/changes/read-changes.ts',
    from: "return typeof start === 'object' ? start : { generation, timeline, lsn, xid, id }",
    to: 'return { generation, timeline, lsn, xid, id, ...(start === null && { start }) }',
    noticedBy: 'src/modules/feed/changes/changes.test.ts',
  },
  {
    name: 'changes-for-a-withdrawn-key',
    promise: 'A request that waits for changes is shown none once the key of its token was withdrawn.',
    file: 'src/modules/feed/changes/changes.ts',
    from: "      if (!consumer.signingKey.isTrusted()) throw tokenIsInvalid('unknownKey')\n",
    to: '',
    noticedBy: 'src/modules/feed/stream/withdrawn-keys.test.ts',
  },
  {
    name: 'old-readings-followed-unlogged',
    promise: 'Every patient of a page of changes gets a row in the access log.',
    file: 'src/modules/feed/changes/read-changes.ts',
    from: `    where read_of is not null
    group by read_of`,
    to: `    where read_of is not null
      and measured_at > now() - interval '30 days'
    group by read_of`,
    noticedBy: 'src/modules/feed/changes/changes.test.ts',
  },
  {
    name: 'follower-moved-from-another-place',
    promise: 'What a follower writes happens exactly once, also when two processes take it for theirs.',
    file: 'src/modules/feed/followers/advance.ts',
    from: '      and (generation, xid, id) = (${from.generation}, ${from.xid}, ${from.id})\n',
    to: '      and generation = ${from.generation}\n',
    noticedBy: 'src/modules/feed/followers/followers.test.ts',
  },
  {
    name: 'stream-by-a-cached-grant',
    promise: 'No stream opens by a grant that was revoked, also where it is cached.',
    file: 'src/modules/feed/stream/check-grants.ts',
    from: '      if (lost.length > 0) throw new GrantChanged()\n',
    to: '',
    noticedBy: 'src/modules/feed/stream/doctor-streams.test.ts',
  },
  {
    name: 'erasure-before-the-writes-end',
    promise: 'An erasure leaves no reading of a transaction that was writing when it began.',
    file: 'src/modules/operators/erase-patient.ts',
    from: `  await untilWritesHaveEnded(client)
}

async function lastNoticeOf`,
    to: '}\n\nasync function lastNoticeOf',
    noticedBy: 'test/operators/patient-erase.test.ts',
  },
  {
    name: 'erased-patient-in-a-reason',
    promise: 'An erasure removes what staff wrote about the patient in the access log.',
    file: 'src/modules/operators/erase-patient.ts',
    from: 'set patient_uid = $7, reason = null',
    to: 'set patient_uid = $7',
    noticedBy: 'test/operators/patient-erase.test.ts',
  },
  {
    name: 'refused-without-the-key-everywhere',
    promise:
      'No patient is refused while a running server lacks the key, and would store what it should refuse.',
    file: 'src/modules/operators/refuse-patient.ts',
    from: '  await mustHaveTheKeyEverywhere(client, digests)\n',
    to: '',
    noticedBy: 'test/operators/patient-refused.test.ts',
  },
  {
    name: 'trim-removes-corrections',
    promise: 'A trim of the access log keeps who corrected readings.',
    file: 'src/modules/operators/trim-access-log.ts',
    from: `          and correction_id is null
        limit`,
    to: '        limit',
    noticedBy: 'test/operators/access-log-trim.test.ts',
  },
  {
    name: 'erase-without-a-terminal',
    promise: 'Nothing is erased without --yes where nobody can be asked.',
    file: 'src/commands/confirm.ts',
    from: "if (!terminal.input.isTTY) throw new ConfigError('stdin is not a terminal: pass --yes to confirm.')",
    to: 'if (!terminal.input.isTTY) return',
    noticedBy: 'test/operators/patient-erase.test.ts',
  },
  {
    name: 'refused-token-checked-with-success',
    promise: '`rounds token check` fails for a token that is refused.',
    file: 'src/commands/token.ts',
    from: '  if (!isAccepted) process.exitCode = 1\n',
    to: '',
    noticedBy: 'test/tokens/refused-tokens.test.ts',
  },
  {
    name: 'trim-of-a-day-that-is-none',
    promise: 'A command refuses a day that there is not, such as the 30th of February.',
    file: 'src/commands/confirm.ts',
    from: ' && at.toISOString().startsWith(text)',
    to: '',
    noticedBy: 'test/operators/access-log-trim.test.ts',
  },
  {
    name: 'alert-at-its-bound',
    promise: 'A rule holds beyond its bound, and not at it.',
    file: 'src/modules/care/evaluation/value-fold.ts',
    from: '(above !== undefined && value > above) || (below !== undefined && value < below)',
    to: '(above !== undefined && value >= above) || (below !== undefined && value < below)',
    noticedBy: 'src/modules/care/rules/preview-rule.test.ts',
  },
  {
    name: 'alert-window-one-too-short',
    promise: 'A rule of so many of the last readings looks at all of them.',
    file: 'src/modules/care/evaluation/value-fold.ts',
    from: 'while (last.length > of ||',
    to: 'while (last.length >= of ||',
    noticedBy: 'src/modules/care/rules/preview-rule.test.ts',
  },
  {
    name: 'time-to-catch-up-in-another-unit',
    promise: 'After an outage of Rounds, devices get half an hour to send what they have stored.',
    file: 'src/modules/care/evaluation/gaps.ts',
    from: 'const TO_CATCH_UP: Micros = 30 * 60 * 1_000_000',
    to: 'const TO_CATCH_UP: Micros = 30 * 60 * 1_000',
    noticedBy: 'src/modules/care/evaluation/gaps.test.ts',
  },
  {
    name: 'acknowledged-before-it-was-seen',
    promise:
      'An acknowledgement is of what the doctor could see: a reading not evaluated yet may open another alert.',
    file: 'src/modules/care/alerts/acknowledge-alert.ts',
    from: `      and (changed_xid, reading_id) <= (select xid, id from casesheet.followers where name = '\${FOLLOWER}')\n`,
    to: '',
    noticedBy: 'src/modules/care/alerts/acknowledge-alert.test.ts',
  },
  {
    name: 'alerts-written-twice',
    promise: 'No alert opens twice, also when processes die: a late write does nothing.',
    file: 'src/modules/care/evaluation/write-alerts.ts',
    from: `    where writes = $9::bigint
      and exists (select from held)`,
    to: '    where exists (select from held)',
    noticedBy: 'src/modules/care/evaluation/keep-alerts.test.ts',
  },
  {
    name: 'target-by-an-expired-grant',
    promise: 'A doctor whose grant has expired sets nothing.',
    file: 'src/modules/casesheet/reader.ts',
    from: `      and state = 'given'
      and valid_until > now()
    for share`,
    to: `      and state = 'given'
    for share`,
    noticedBy: 'src/modules/care/targets/targets-by-grant.test.ts',
  },
  {
    name: 'review-of-another-doctor',
    promise: "A doctor is never answered with another doctor's review.",
    file: 'src/modules/care/looks/add-look.ts',
    from: 'if (!row.is_same)',
    to: 'if (row.note !== (body.note ?? null))',
    noticedBy: 'src/modules/care/looks/looks.test.ts',
  },
  {
    name: 'mark-removed-though-it-was-renewed',
    promise: "A doctor's list misses no change that comes while something is made of a patient.",
    file: 'src/modules/care/summaries/write-summaries.ts',
    from: '      and version = $4::bigint\n',
    to: '      and $4::bigint >= 0\n',
    noticedBy: 'src/modules/care/summaries/make-summaries.test.ts',
  },
  {
    name: 'made-from-an-older-count',
    promise: 'A position never covers evidence that a list did not show.',
    file: 'src/modules/care/summaries/write-summaries.ts',
    from: '      and judged = $3::bigint\n',
    to: '      and judged >= $3::bigint\n',
    noticedBy: 'src/modules/care/summaries/make-summaries.test.ts',
  },
  {
    name: 'converted-value-cut-off',
    promise:
      'A value that was converted is rounded to what people are shown before it is compared with a target.',
    file: 'src/modules/care/unit-sql.ts',
    from: '* ${steps}[${to}] + 0.5) / ${steps}[${to}]',
    to: '* ${steps}[${to}]) / ${steps}[${to}]',
    noticedBy: 'clients/console/test/in-target.test.ts',
  },
  {
    name: 'glucose-at-the-end-of-its-band',
    promise: '180 mg/dL is in range, and 181 is not.',
    file: 'src/modules/care/reports/glucose-statement.ts',
    from: 'when sent <= ($17::float8[])[unit] then 3',
    to: 'when sent < ($17::float8[])[unit] then 3',
    noticedBy: 'src/modules/care/reports/report-figures.test.ts',
  },
  {
    name: 'first-target-not-in-its-history',
    promise: 'Every change of a target is in its history.',
    file: 'migrations/0006-care.sql',
    from: `create trigger record_target
after insert or update of`,
    to: `create trigger record_target
after update of`,
    noticedBy: 'src/modules/care/targets/targets.test.ts',
  },
  {
    name: 'seen-before-it-arrived',
    promise: 'A reading that arrives after a look is unseen.',
    file: 'src/modules/care/status/status-of.ts',
    from: 'const isSeen = reading.position <= seen.upTo',
    to: 'const isSeen = reading.position <= seen.upTo + 1',
    noticedBy: 'src/modules/care/status/status-of.test.ts',
  },
  {
    name: 'fine-where-nobody-judged',
    promise: 'A patient is fine only where a target was judged in full.',
    file: 'src/modules/care/status/status-of.ts',
    from: "lacks.includes(undefined) ? 'fine' : 'notJudged'",
    to: "lacks.length > 0 ? 'fine' : 'notJudged'",
    noticedBy: 'src/modules/care/status/status-of.test.ts',
  },
  {
    name: 'look-takes-a-date-away',
    promise: 'A look keeps a pending date that it does not name.',
    file: 'src/modules/care/status/looks.ts',
    from: 'if (lookAgainAt === null || ',
    to: 'if (!lookAgainAt || ',
    noticedBy: 'src/modules/care/status/status-properties.test.ts',
  },
]
