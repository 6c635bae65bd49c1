// A yardstick, not a part of Rounds: the two readings operations as a team would usually write them, with Express, `pg` and
// `jsonwebtoken`, one statement a request, on the same tables and under the same tokens.
import { createHash, randomUUID } from 'node:crypto'
import express from 'express'
import jwt from 'jsonwebtoken'
import { Pool } from 'pg'

const { DATABASE_URL, PUBLIC_KEY = '', AUTH_AUDIENCE } = process.env
const pool = new Pool({ connectionString: DATABASE_URL, max: 32 })
const app = express()
app.use(express.json())

app.use((request, response, next) => {
  try {
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    response.locals['claims'] = jwt.verify(token, PUBLIC_KEY, {
      algorithms: ['RS256'],
      audience: AUTH_AUDIENCE ?? '',
    })
    next()
  } catch {
    response.status(401).json({ message: 'The token is not valid.' })
  }
})

app.post('/casesheet/readings/add', async (request, response) => {
  const { patientUid, readingType, timestamp, ...details } = request.body
  if (response.locals['claims'].patientUid !== patientUid) {
    response.status(403).json({ message: 'The token is for another patient.' })
    return
  }
  const hex = createHash('sha256').update(JSON.stringify(request.body)).digest('hex')
  await pool.query(
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict do nothing`,
    [
      patientUid,
      new Date(timestamp),
      hex.slice(0, 32),
      readingType,
      timestamp,
      details,
      response.locals['claims'].sub,
    ],
  )
  response.json({ code: 'Ok', message: 'The reading was added successfully.' })
})

app.get('/casesheet/readings/get', async (request, response) => {
  const { patientUid, from, to } = request.query
  if (response.locals['claims'].patientUid !== patientUid) {
    response.status(403).json({ message: 'The token is for another patient.' })
    return
  }
  const { rows } = await pool.query(
    `with found as materialized (
       select reading_id, reading_type, sent_timestamp, details, measured_at, received_at
       from casesheet.readings
       where patient_uid = $1 and measured_at between $2 and $3
       order by measured_at, reading_id
     ), logged as (
       insert into casesheet.access_log
         (patient_uid, operation, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
       select $1, 'readings/get', $2, $3, $4, 0, $5, 'patient', count(*)
       from found
     )
     select * from found`,
    [
      patientUid,
      new Date(Number(from) * 1000),
      new Date(Number(to) * 1000),
      randomUUID(),
      response.locals['claims'].sub,
    ],
  )
  const data = rows.map((row) => ({
    patientUid,
    readingType: row.reading_type,
    timestamp: row.sent_timestamp,
    ...row.details,
    readingId: row.reading_id,
    measuredAt: row.measured_at,
    receivedAt: row.received_at,
  }))
  response.json({ code: 'Ok', message: 'Readings obtained successfully.', data, nextCursor: null })
})

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
process.once('SIGTERM', () => process.exit(0))
