import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase, runSql } from '../../test/support/harness.ts'
import { until } from '../../test/support/until.ts'
import { listenTo } from './listen.ts'

const { ownerUrl } = await createDatabase()

test('an announcement is heard, and a new connection counts as one', { timeout: 10_000 }, async () => {
  let heard = 0
  const stop = listenTo(ownerUrl, 'news', () => heard++)
  await until(() => heard >= 1)
  await runSql(ownerUrl, "notify other_news; notify news, 'once'")
  await until(() => heard >= 2)
  await stop()
  await runSql(ownerUrl, 'notify news')
  assert.equal(heard, 2)
})

test('a server that is not there is asked again, and stopping does not wait for it', {
  timeout: 10_000,
}, async () => {
  const stop = listenTo('postgres://nobody@127.0.0.1:1/nowhere', 'news', () => assert.fail())
  await new Promise((resume) => setTimeout(resume, 50))
  await stop()
})

test('stopping ends at whatever moment it comes, and leaves no connection', { timeout: 20_000 }, async () => {
  for (let moment = 0; moment < 40; moment++) {
    const stop = listenTo(ownerUrl, 'news', () => {})
    await new Promise((resume) => setTimeout(resume, moment / 2))
    await stop()
  }
  const countListeners = () =>
    runSql(
      ownerUrl,
      "select from pg_stat_activity where application_name = 'rounds listening' and datname = current_database()",
    )
  while ((await countListeners()).length > 0);
})
