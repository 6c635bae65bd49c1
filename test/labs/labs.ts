// The labs: what takes minutes, an idle machine or a whole cluster. All run by night (`.ci/nightly`); each change runs the short
// forms, so that none of them rots. Sizes are settings of the files; the short form makes them small or names one test.

export type Form = {
  /** Test files, one at a time; a part of the names of their tests. */
  files?: string[]
  only?: string
  /** Another program for Node, instead of files. */
  command?: string[]
  settings?: Record<string, string>
}

export type Lab = {
  name: string
  proves: string
  /** On two cores that do nothing else. */
  minutes: number
  whole: Form
  /** None where a container engine is needed, or all that it proves is a rate, which a shared machine breaks. */
  short?: Form
  /** Scripts that bring what the lab needs. */
  tools?: string[]
  /** Its last match in the output is the figure that the lab exists for; without it, what a test says last (`t.diagnostic`). */
  figure?: RegExp
}

/** Another one each night; a test says which in its name. */
const ANY_SEED = String(Date.now() % 1_000_000)
const PATRONI = 'scripts/get-patroni.sh'
/** What `npm test` runs. */
const ALL_TESTS = [
  'test/!(image)/**/*.test.ts',
  'src/**/*.test.ts',
  'tools/**/*.test.ts',
  'clients/{typescript,python}/test/*.test.ts',
]

export const LABS: Lab[] = [
  {
    name: 'faults',
    proves: 'a cluster of three that is struck by each fault loses and doubles nothing that was acknowledged',
    minutes: 90,
    whole: { command: ['test/faults/run.ts'] },
    short: { command: ['test/faults/run.ts', '--short', '--only', 'connections-cut'] },
    tools: [PATRONI],
    figure: /^connections-cut: .*$|^primary-killed: .*$/gm,
  },
  {
    name: 'limits',
    proves:
      'the largest permitted value of every input costs at most its share; one subject at every limit delays others little',
    minutes: 12,
    whole: { command: ['test/limits/run.ts'] },
    short: {
      command: ['test/limits/run.ts', '--only', 'doctors/list: a rare name'],
      settings: { LIMITS_SHARE: '0.02' },
    },
    figure: /p99 .* of .* refused.*$/gm,
  },
  {
    name: 'one-subject',
    proves: 'one subject at every limit at once delays others little, and refuses them nothing',
    minutes: 2,
    whole: { command: ['test/limits/run.ts', '--only', 'one subject at every limit'] },
    short: {
      command: ['test/limits/run.ts', '--only', 'one subject at every limit'],
      settings: { LIMITS_SHARE: '0.001', LIMITS_SECONDS: '6' },
    },
    figure: /p99 .* of .* refused.*$/gm,
  },
  {
    name: 'forged-tokens',
    proves:
      'callers with cached tokens are all served through a flood of forged ones, slow commits and a failover',
    minutes: 2,
    whole: { files: ['test/labs/forged-tokens.lab.ts'] },
    short: { files: ['test/labs/forged-tokens.lab.ts'], settings: { FLOOD_SECONDS: '6', AWAY_MS: '2000' } },
  },
  {
    name: 'overload',
    proves:
      'at three times its capacity the service answers what it can, refuses the rest at once, and recovers',
    minutes: 3,
    whole: { command: ['test/load/report-overload.ts'] },
    short: { files: ['test/labs/overload.lab.ts'] },
    figure: /^\| p99 of those served, ms .*$/gm,
  },
  {
    name: 'fuzz',
    proves: 'no request made by chance from the OpenAPI document is answered with a fault of ours',
    minutes: 15,
    whole: {
      files: ['test/http/fuzz.lab.ts', 'test/fhir/fhir-fuzz.lab.ts'],
      settings: { FUZZ_REQUESTS: '200000', FUZZ_SEED: ANY_SEED, SEED: ANY_SEED },
    },
    short: { files: ['test/http/fuzz.lab.ts'], settings: { FUZZ_REQUESTS: '500' } },
  },
  {
    name: 'image',
    proves: 'the image, compose.yaml and the release work in containers',
    minutes: 8,
    whole: { command: ['test/image/run.ts'] },
    tools: ['scripts/get-docker.sh'],
  },
  {
    name: 'kills',
    proves:
      'processes that are killed, frozen and cut off at every step lose and double no alert, summary or message',
    minutes: 4,
    whole: {
      files: [
        'test/care/alerts-kills.lab.ts',
        'test/care/summaries-made.test.ts',
        'test/webhooks/kills.lab.ts',
      ],
      settings: { SUMMARY_CHANGES: '5000' },
    },
    short: { files: ['test/care/alerts-kills.lab.ts'], only: 'what Rounds missed' },
  },
  {
    name: 'models',
    proves:
      'alerts, lists, grants, shared statements and the sequence of changes are what plain models say of them',
    minutes: 25,
    whole: {
      files: [
        'test/care/alerts-model.test.ts',
        'test/care/list-interleavings.lab.ts',
        'test/grants/interleavings.lab.ts',
        'test/readings/changes-complete.lab.ts',
        'src/db/batch-simulation.lab.ts',
      ],
      settings: {
        ALERTS_OPERATIONS: '20000',
        INTERLEAVINGS: '10000',
        LIST_INTERLEAVINGS: '2000',
        WORLDS: '10000',
      },
    },
    short: {
      // The model of alerts is a test too: each change runs it with 600 operations.
      files: ['test/grants/interleavings.lab.ts', 'src/db/batch-simulation.lab.ts'],
      settings: { INTERLEAVINGS: '20', WORLDS: '200' },
    },
  },
  {
    name: 'clusters',
    proves:
      'copies, failovers and restores of a PostgreSQL cluster make no follower of changes miss or repeat one',
    minutes: 2,
    whole: {
      files: [
        'test/readings/feed-failover.lab.ts',
        'test/readings/feed-replicated.lab.ts',
        'test/readings/feed-restored.lab.ts',
      ],
    },
    short: { files: ['test/readings/feed-replicated.lab.ts'], only: 'stands in the sequence' },
  },
  {
    name: 'shards',
    proves:
      'partitions of patients move to another cluster under load, with kills and a failover: nothing is lost, doubled or answered empty',
    minutes: 6,
    whole: { files: ['test/labs/shards.lab.ts'] },
    short: { files: ['test/labs/shards.lab.ts'], settings: { SHARDS_MOVED: '1', SHARDS_TEXTS: '1000' } },
    figure: /^.*\d+ readings, .*unserved.*$/gm,
  },
  {
    name: 'proxies',
    proves:
      'behind HAProxy errors, streams and restarts are what the documents say; a restart fails no request',
    minutes: 6,
    whole: {
      files: [
        'test/deploy/haproxy-errors.lab.ts',
        'test/deploy/haproxy-streams.lab.ts',
        'test/labs/rolling-restart.lab.ts',
      ],
      settings: { RESTARTS: '20' },
    },
    short: { files: ['test/labs/rolling-restart.lab.ts'], settings: { RESTARTS: '1' } },
  },
  {
    name: 'guides',
    proves:
      'settings, backup, restore and a new password work as the guides say, on a cluster as Debian makes it',
    minutes: 2,
    whole: { files: ['test/deploy/backup.lab.ts', 'test/labs/dev-start.lab.ts'] },
    short: { files: ['test/labs/dev-start.lab.ts'] },
  },
  {
    name: 'release',
    proves: 'two builds of a commit give the same packages, signed as SECURITY.md says',
    minutes: 2,
    whole: { files: ['test/sources/release.lab.ts'] },
    short: { files: ['test/sources/release.lab.ts'], only: 'part of an image' },
  },
  {
    name: 'directories',
    proves: 'a million doctors are imported in bounded memory, and each search is answered from an index',
    minutes: 15,
    whole: { files: ['test/directory/large-directory.lab.ts'], settings: { DOCTORS: '1000000' } },
    short: { files: ['test/directory/large-directory.lab.ts'], settings: { DOCTORS: '10000' } },
  },
  {
    name: 'imports',
    proves: 'files of gigabytes are brought in with bounded memory, and a second time store nothing',
    minutes: 45,
    whole: {
      files: [
        'test/labs/import.lab.ts',
        'clients/typescript/test/import-large.lab.ts',
        'test/labs/bring-in.lab.ts',
      ],
      settings: { IMPORT_BYTES: '3000000000' },
    },
    short: {
      files: ['test/labs/import.lab.ts'],
      only: 'brings in',
      settings: { IMPORT_BYTES: '3000000' },
    },
  },
  {
    name: 'histories',
    proves: 'ranges, pages and reports of the largest size take bounded memory and time',
    minutes: 6,
    whole: {
      files: ['test/labs/long-range.lab.ts', 'test/labs/large-reads.lab.ts', 'test/labs/reports.lab.ts'],
    },
    short: { files: ['test/labs/large-reads.lab.ts'], only: 'as application/json is answered' },
  },
  {
    name: 'clients',
    proves: 'clients that are slow, silent, hostile or many hold no memory and delay nobody',
    minutes: 10,
    whole: {
      files: [
        'test/labs/slow-clients.lab.ts',
        'test/labs/idle-connections.lab.ts',
        'test/labs/backlogs.lab.ts',
        'test/labs/hostile-requests.lab.ts',
        'test/labs/silent-streams.lab.ts',
        'test/labs/streams.lab.ts',
        'test/labs/overload.lab.ts',
      ],
    },
    short: { files: ['test/labs/silent-streams.lab.ts'], only: 'one service gets twenty' },
  },
  {
    name: 'care',
    proves: "a doctor's list and alerts keep up with 500 adds a second, in bounded memory",
    minutes: 10,
    whole: { files: ['test/labs/alerts.lab.ts', 'test/labs/patient-list.lab.ts'] },
    short: {
      files: ['test/labs/alerts.lab.ts'],
      settings: { ALERT_PATIENTS: '80', ALERT_RATE: '20', ALERT_SECONDS: '3', ALERT_DENSE: '3000' },
    },
  },
  {
    name: 'practice',
    proves:
      'the list of four invented practices is doable in an hour a day for six weeks, and nobody who gets worse is missed',
    minutes: 2,
    whole: { files: ['test/care/status/practice.test.ts'], settings: { PRACTICE_SEEDS: '4' } },
  },
  {
    name: 'practice-served',
    proves:
      'the same practice by the list of the service: four weeks of readings are stored, then six weeks day by day',
    minutes: 10,
    whole: { files: ['test/care/status/practice-served.lab.ts'], settings: { PRACTICE_SEED: ANY_SEED } },
    short: {
      files: ['test/care/status/practice-served.lab.ts'],
      settings: { PRACTICE_DAYS: '2', PRACTICE_PEOPLE: '10' },
    },
  },
  {
    name: 'webhooks',
    proves: '200 endpoints, one dead and one slow: the others get messages within a second',
    minutes: 5,
    whole: { files: ['test/labs/webhooks.lab.ts'] },
    short: {
      files: ['test/labs/webhooks.lab.ts'],
      only: 'memory of both processes',
      settings: { WEBHOOKS_SECONDS: '2' },
    },
  },
  {
    name: 'console',
    proves: 'charts of 100,000 readings and a list of 1,000 patients are drawn and answer at once',
    minutes: 5,
    whole: { files: ['test/labs/console.lab.ts', 'test/labs/my-patients.lab.ts'] },
    short: { files: ['test/labs/my-patients.lab.ts'], only: 'the first rows' },
  },
  {
    name: 'screens',
    proves:
      'every journey of the console on a phone and a desk, in light, dark and forced colours, by mouse, touch and keys',
    minutes: 20,
    whole: {
      command: ['test/support/run-tests.ts', 'clients/console/test/*.{test,lab}.ts'],
      settings: { CONSOLE_LOOKS: 'all' },
    },
    short: { files: ['clients/console/test/charts-range.lab.ts'], only: 'the panel of ranges' },
  },
  {
    name: 'bytes',
    proves: 'a reading takes at most 520 bytes on disk, by table and index, and an add 3 KB of WAL',
    minutes: 4,
    whole: { files: ['test/labs/bytes.lab.ts'] },
    short: {
      files: ['test/labs/bytes.lab.ts'],
      only: 'on disk',
      settings: { BYTES_HOURS: '100', BYTES_MAX: '540' },
    },
    figure: /a reading: .*$|WAL of an add: .*$/gm,
  },
  {
    name: 'postgres18',
    proves: 'all tests pass on PostgreSQL 18 too',
    minutes: 20,
    whole: { command: ['test/support/run-tests.ts', ...ALL_TESTS], settings: { PG_BIN: 'embedded' } },
  },
  {
    name: 'mutants',
    proves: 'each of sixty small faults is noticed by a test',
    minutes: 50,
    whole: { command: ['test/mutants/run.ts'] },
    short: { command: ['test/mutants/run.ts', '--short'] },
    figure: /^\d+ passed, \d+ failed$/gm,
  },
  {
    name: 'bench',
    proves: 'adds, gets and pages keep their rate beside the bare database and bare servers',
    minutes: 15,
    whole: { command: ['bench/run.ts', '--short'] },
    figure: /^.*add.*$/gm,
  },
]
