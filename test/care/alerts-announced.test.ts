// What is announced of alerts, and when: by the readings of a patient and a clock that the test moves on.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { openDb } from '../support/copying-follower.ts'
import { createDatabase } from '../support/harness.ts'
import { useOwnCluster } from '../support/own-cluster.ts'
import { acknowledge, holdEvaluation, instant, storedAlerts, write } from './alerts-in-database.ts'
import { DAY, HOUR, MINUTE, type Terms } from './alerts-model.ts'
import { History, type TypedReading, type Version } from './random-histories.ts'

await useOwnCluster()

const START = (Math.floor(Date.now() / 86_400_000) - 30) * DAY

/** Such as 10:05, on the first day, or 2d10:05, two days later. */
function at(text: string): number {
  const [, days = 0, hours = 0, minutes = 0] = /^(?:(\d+)d)?(\d+):(\d+)$/.exec(text) ?? []
  return START + Number(days) * DAY + Number(hours) * HOUR + Number(minutes) * MINUTE
}

type Rule = Partial<Terms> & { severity: Terms['severity'] }
type Sent = { receivedAt?: string; field?: string; readingType?: string }

/** A patient whose rules are known by names. Readings are of the heart rate unless they say another type. */
async function newPatient() {
  const { ownerUrl, serveUrl } = await createDatabase()
  const [client, db] = [new Client({ connectionString: ownerUrl }), openDb(serveUrl)]
  await client.connect()
  const evaluateAll = await holdEvaluation(client, db)
  const history = new History('patient-1', { chance: () => false } as never)
  const rules = new Map<string, Version>()
  const nameOf = (ruleId: string) => [...rules].find(([, version]) => version.ruleId === ruleId)?.[0]
  const happens = (operation: Parameters<typeof write>[1][number]['operation']) =>
    write(client, [{ history, operation }])
  let told = 0

  async function alert(name: string, inCondition?: string) {
    const stored = (await storedAlerts(client)).filter(
      ({ rule_id, condition }) => nameOf(rule_id) === name && condition === (inCondition ?? condition),
    )
    const [newest] = stored.toSorted((a, b) => b.since - a.since)
    assert.ok(newest, `no alert of ${name}`)
    return newest
  }

  return {
    alert,

    /** Above 130 unless it says otherwise, or another version of the rule of this name. */
    async rule(name: string, time: string, { severity, ...other }: Rule) {
      const { ruleId = randomUUID() } = rules.get(name) ?? {}
      const isOwn = other.threshold || other.sustained || other.change || other.missing
      const terms: Terms = {
        readingType: 'heartRate',
        severity,
        ...(other.missing
          ? {}
          : { field: 'value', unit: '/min', clear: { atMost: 130, count: 1 }, maxAge: 'PT2H' }),
        ...(isOwn ? {} : { threshold: { above: 130 } }),
        ...other,
      }
      const version = { versionId: '', ruleId, terms, setAt: at(time), endedAt: null, spans: [], points: [] }
      rules.set(name, version)
      await happens({ kind: 'set', version })
    },

    async remove(name: string, time: string) {
      const version = rules.get(name)
      assert.ok(version)
      await happens({ kind: 'remove', version, at: at(time) })
    },

    /** It was received when it was measured. */
    async reading(time: string, value: number, sent: Sent = {}): Promise<TypedReading> {
      const { receivedAt = time, field = 'value', readingType = 'heartRate' } = sent
      const reading: TypedReading = {
        readingId: randomUUID(),
        readingType,
        measuredAt: at(time),
        receivedAt: at(receivedAt),
        details: { [field]: value },
        isWithdrawn: false,
      }
      await happens({ kind: 'add', readings: [reading] })
      return reading
    },

    async withdraw(reading: TypedReading, isWithdrawn = true) {
      reading.isWithdrawn = isWithdrawn
      await happens({ kind: 'correct', reading })
    },

    /** At the newest reading. */
    async acknowledge(name: string, time: string) {
      await acknowledge(client, [{ alert: await alert(name), point: at(time) }])
    },

    async outage(from: string, to: string) {
      await client.query('insert into care.outages (began_at, ended_at) values ($1, $2)', [
        instant(at(from)),
        instant(at(to)),
      ])
    },

    /** What is announced when it is this time: `opened warning`. */
    async saidAt(time: string): Promise<string[]> {
      await evaluateAll(at(time))
      const { rows } = await client.query<{ rule_id: string; event: string }>(
        `select rule_id, event from casesheet.alert_events where is_announced and event <> 'acknowledged'
         order by at, event_id`,
      )
      const now = rows.slice(told).map(({ rule_id, event }) => `${event} ${nameOf(rule_id)}`)
      told = rows.length
      return now.toSorted()
    },

    async end() {
      await client.end()
      await db.end()
    },
  }
}

type Patient = Awaited<ReturnType<typeof newPatient>>

function story(name: string, tell: (patient: Patient) => Promise<void>) {
  test(name, async () => {
    const patient = await newPatient()
    try {
      await tell(patient)
    } finally {
      await patient.end()
    }
  })
}

/** That this is said at these times, and at each of them nothing else. */
async function mustSay(patient: Patient, said: Record<string, string[]>) {
  for (const [time, expected] of Object.entries(said))
    assert.deepEqual(await patient.saidAt(time), expected, `at ${time}`)
}

story('an alert is announced once when it opens and once when it resolves', async (patient) => {
  await patient.rule('high', '9:00', { severity: 'warning' })
  await patient.reading('10:00', 131)
  await mustSay(patient, { '10:01': ['opened high'], '10:02': [] })
  // Late, but within the same alert, which begins earlier.
  await patient.reading('9:50', 132, { receivedAt: '10:03' })
  await patient.reading('10:03', 140)
  await mustSay(patient, { '10:04': [], '20:00': [] })
  await patient.reading('20:00', 120)
  await mustSay(patient, { '20:01': ['resolved high'], '3d0:00': [] })
  await patient.reading('3d0:00', 131)
  await mustSay(patient, { '3d0:01': ['opened high'] })
})

story('what opens and resolves between two looks is announced', async (patient) => {
  await patient.rule('high', '9:00', { severity: 'warning' })
  await patient.reading('10:00', 131, { receivedAt: '10:10' })
  await patient.reading('10:05', 120, { receivedAt: '10:10' })
  await mustSay(patient, { '10:11': ['opened high', 'resolved high'] })
})

story(
  'what is late is recorded and not announced, until a reading in time shows that it holds',
  async (patient) => {
    await patient.rule('high', '1:00', { severity: 'urgent' })
    await patient.reading('2:00', 131, { receivedAt: '4:01' })
    await mustSay(patient, { '4:02': [], '5:00': [] })
    const { condition, quiet, is_announced } = await patient.alert('high')
    assert.deepEqual(
      { condition, quiet, is_announced },
      { condition: 'open', quiet: 'late', is_announced: false },
    )
    await patient.reading('5:00', 132)
    await mustSay(patient, { '5:01': ['opened high'] })
    await patient.reading('5:02', 120)
    await mustSay(patient, { '5:03': ['resolved high'] })
  },
)

story('of what is late, neither the end nor a retraction is announced', async (patient) => {
  await patient.rule('high', '1:00', { severity: 'urgent' })
  const late = await patient.reading('2:00', 131, { receivedAt: '4:01' })
  await mustSay(patient, { '4:02': [] })
  await patient.reading('4:03', 120)
  await mustSay(patient, { '4:04': [] })
  assert.equal((await patient.alert('high')).condition, 'resolved')
  await patient.withdraw(late)
  await mustSay(patient, { '4:05': [] })
  await assert.rejects(patient.alert('high'), /no alert/)
})

story('a withdrawn reading retracts its alert, and a restored one opens it again', async (patient) => {
  await patient.rule('high', '9:00', { severity: 'warning' })
  const reading = await patient.reading('10:00', 131)
  await mustSay(patient, { '10:01': ['opened high'] })
  await patient.withdraw(reading)
  await mustSay(patient, { '10:02': ['retracted high'], '10:03': [] })
  await patient.withdraw(reading, false)
  await mustSay(patient, { '10:04': ['opened high'] })
})

story('an alert that was over and holds again is announced again', async (patient) => {
  await patient.rule('high', '9:00', { severity: 'warning' })
  await patient.reading('10:00', 131)
  const clear = await patient.reading('10:05', 120)
  await mustSay(patient, { '10:06': ['opened high', 'resolved high'] })
  await patient.withdraw(clear)
  await mustSay(patient, { '10:07': ['reopened high'], '10:08': [] })
  await patient.withdraw(clear, false)
  await mustSay(patient, { '10:09': ['resolved high'] })
})

story('a higher severity of the same field inhibits a lower one, until it ends', async (patient) => {
  await patient.rule('warning', '9:00', { severity: 'warning' })
  await patient.rule('urgent', '9:00', {
    severity: 'urgent',
    threshold: { above: 150 },
    clear: { atMost: 150, count: 1 },
  })
  await patient.reading('10:00', 160)
  await mustSay(patient, { '10:01': ['opened urgent'], '11:00': [] })
  assert.equal((await patient.alert('warning')).quiet, 'inhibited')
  // Also while it is acknowledged.
  await patient.acknowledge('urgent', '10:00')
  await mustSay(patient, { '12:00': [] })
  await patient.reading('12:05', 140)
  await mustSay(patient, { '12:06': ['opened warning', 'resolved urgent'], '12:16': [] })
  await patient.reading('12:20', 160)
  await mustSay(patient, { '12:21': ['opened urgent'], '12:50': [] })
  await patient.reading('12:51', 120)
  await mustSay(patient, { '12:52': ['resolved urgent', 'resolved warning'] })
})

story('one that is late inhibits nothing', async (patient) => {
  await patient.rule('warning', '9:00', { severity: 'warning' })
  await patient.rule('urgent', '9:00', { severity: 'urgent', threshold: { above: 150 } })
  await patient.reading('10:00', 160, { receivedAt: '1d20:00' })
  await mustSay(patient, { '1d20:01': [] })
  assert.deepEqual(
    [(await patient.alert('urgent')).quiet, (await patient.alert('warning')).quiet],
    ['late', 'late'],
  )
  await patient.reading('1d20:10', 140)
  await mustSay(patient, { '1d20:11': ['opened warning'] })
})

story(
  'a rule that is set looks at once at the 24 hours before, and at nothing that was over',
  async (patient) => {
    await patient.reading('9:58', 160)
    await patient.reading('10:01', 160)
    await patient.reading('10:02', 120)
    await patient.rule('over', '1d10:00', { severity: 'notice' })
    await mustSay(patient, { '1d10:00': [], '1d10:01': [] })
    await patient.remove('over', '1d10:02')
    await patient.reading('20:00', 160)
    await patient.rule('all', '1d10:05', { severity: 'urgent' })
    await mustSay(patient, { '1d10:05': ['opened all'], '1d11:00': [] })
    await patient.reading('1d11:01', 120)
    await mustSay(patient, { '1d11:02': ['resolved all'] })
    await patient.rule('later', '2d11:01', { severity: 'warning' })
    await mustSay(patient, { '2d12:00': [] })
  },
)

story(
  'a reading that arrives behind the rule opens an alert, though it was measured before it',
  async (patient) => {
    await patient.rule('high', '10:01', { severity: 'urgent' })
    await patient.reading('10:00', 140, { receivedAt: '10:02' })
    await mustSay(patient, { '10:03': ['opened high'] })
  },
)

story('what was inhibited as long as it held is not announced', async (patient) => {
  await patient.rule('notice', '9:00', {
    severity: 'notice',
    clear: { atMost: 155, count: 1 },
    threshold: { above: 155 },
  })
  await patient.rule('urgent', '9:00', { severity: 'urgent' })
  await patient.reading('10:00', 160)
  await mustSay(patient, { '10:01': ['opened urgent'] })
  await patient.reading('10:05', 150)
  await mustSay(patient, { '10:06': [] })
  await patient.reading('10:10', 120)
  await mustSay(patient, { '10:11': ['resolved urgent'], '1d0:00': [] })
})

story('neither the same severity, nor another field, nor another type inhibits', async (patient) => {
  const pressure = { readingType: 'bloodPressure', unit: 'mm[Hg]' }
  await patient.rule('urgent', '9:00', { severity: 'urgent' })
  await patient.rule('urgent too', '9:00', { severity: 'urgent', threshold: { above: 140 } })
  await patient.rule('systolic', '9:00', { severity: 'warning', ...pressure, field: 'systolic' })
  await patient.rule('diastolic', '9:00', { severity: 'notice', ...pressure, field: 'diastolic' })
  await patient.reading('10:00', 160)
  await patient.reading('10:00', 160, { readingType: 'bloodPressure', field: 'systolic' })
  await patient.reading('10:01', 160, { readingType: 'bloodPressure', field: 'diastolic' })
  await mustSay(patient, {
    '10:02': ['opened diastolic', 'opened systolic', 'opened urgent', 'opened urgent too'],
  })
})

story(
  'an open alert is announced once, and an acknowledgement is one of that alert only',
  async (patient) => {
    await patient.rule('high', '9:00', { severity: 'warning' })
    await patient.reading('10:00', 131)
    await mustSay(patient, { '10:05': ['opened high'], '17:00': [] })
    await patient.reading('18:30', 132)
    await mustSay(patient, { '18:31': [] })
    await patient.acknowledge('high', '18:30')
    await mustSay(patient, { '3d0:00': [] })
    await patient.reading('3d0:00', 120)
    await mustSay(patient, { '3d0:01': ['resolved high'] })
    await patient.reading('3d1:00', 131)
    await mustSay(patient, { '3d1:00': ['opened high'], '3d2:00': [] })
    await patient.reading('3d2:30', 120)
    await mustSay(patient, { '3d2:31': ['resolved high'], '3d9:00': [] })
  },
)

story('a rule that is changed or removed ends its alerts', async (patient) => {
  await patient.rule('high', '9:00', { severity: 'warning' })
  await patient.reading('10:00', 131)
  await mustSay(patient, { '10:01': ['opened high'] })
  await patient.rule('high', '10:02', { severity: 'urgent' })
  // What was measured in the day before still holds.
  await mustSay(patient, { '10:03': ['opened high', 'resolved high'], '11:00': [] })
  await patient.remove('high', '11:02')
  await mustSay(patient, { '11:03': ['resolved high'], '3d0:00': [] })
})

story(
  'a missing reading is announced by the clock alone, and an outage is no missing reading',
  async (patient) => {
    await patient.rule('silent', '9:00', { severity: 'warning', missing: { for: 'PT2H' } })
    await mustSay(patient, { '10:59': [], '11:01': ['opened silent'], '12:01': [] })
    await patient.reading('12:10', 70)
    await mustSay(patient, { '12:11': ['resolved silent'] })
    await patient.outage('13:00', '15:00')
    await mustSay(patient, { '15:01': [], '16:39': [], '16:41': ['opened silent'] })
    await patient.acknowledge('silent', '16:40')
    await mustSay(patient, { '23:00': [] })
  },
)

story('a reading that is withdrawn lets the next one be missing earlier', async (patient) => {
  await patient.rule('silent', '9:00', { severity: 'warning', missing: { for: 'PT2H' } })
  await patient.reading('10:00', 70)
  const withdrawn = await patient.reading('11:00', 70)
  await mustSay(patient, { '11:01': [] })
  await patient.withdraw(withdrawn)
  await mustSay(patient, { '11:02': [], '11:59': [], '12:01': ['opened silent'] })
})

story('a rule for another type after a change looks at the clock for that type', async (patient) => {
  await patient.rule('silent', '9:00', { severity: 'warning', missing: { for: 'PT2H' } })
  await mustSay(patient, { '9:01': [] })
  await patient.rule('silent', '9:30', {
    severity: 'warning',
    missing: { for: 'PT2H' },
    readingType: 'bodyWeight',
  })
  await mustSay(patient, { '11:29': [], '11:31': ['opened silent'] })
  await patient.reading('11:40', 70)
  await mustSay(patient, { '11:41': [] })
})

story(
  'an alert of the day before ends earlier though another one is pending since that day',
  async (patient) => {
    await patient.rule('high', '9:00', {
      severity: 'warning',
      sustained: { above: 130, count: 3, of: 5 },
      clear: { atMost: 130, count: 3 },
    })
    for (const time of ['20:00', '20:01', '20:02', '23:59']) await patient.reading(time, 131)
    for (const time of ['1d0:10', '1d0:20', '1d0:30']) await patient.reading(time, 120)
    await patient.reading('1d0:40', 131)
    await mustSay(patient, { '1d0:41': ['opened high', 'resolved high'] })
    assert.equal((await patient.alert('high')).condition, 'pending')
    await patient.reading('1d0:05', 120, { receivedAt: '1d0:50' })
    await mustSay(patient, { '1d0:51': [] })
    const { since, until } = await patient.alert('high', 'resolved')
    assert.deepEqual({ since, until }, { since: at('20:02'), until: at('1d0:20') })
  },
)
