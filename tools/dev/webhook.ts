// `rounds dev --webhook URL`: an endpoint that gets every change, from the first on.
import { ConfigError, type ServeConfig } from '../../src/config/config.ts'
import type { Queries } from '../../src/db/db.ts'
import { createAddressRules } from '../../src/modules/webhooks/delivery/allowed-address.ts'
import { createSecrets, SecretUnreadable } from '../../src/modules/webhooks/delivery/secrets.ts'
import { createAddEndpoint } from '../../src/modules/webhooks/endpoints/add-endpoint.ts'
import { EVENTS } from '../../src/modules/webhooks/endpoints/endpoint.ts'
import { CommandError, Refusal } from '../../src/refusal.ts'
import { runSql } from './run-sql.ts'

export type Webhook = { url: string; secret: string }

/** Says at the start what would be refused at the end of it. */
export function mustBeWebhook(url: string, { webhookKey, webhookNetworks }: ServeConfig) {
  if (!webhookKey) throw new ConfigError('--webhook needs the module "webhooks" in MODULES.')
  const sentence = createAddressRules(webhookNetworks).refuseUrl(url)
  if (sentence !== undefined) throw new ConfigError(sentence.replace(/^The URL/, '--webhook'))
}

/** Adds the endpoint, or finds the one that an earlier run added. */
export async function addWebhook(url: string, ownerUrl: string, config: ServeConfig): Promise<Webhook> {
  const { webhookKey = Buffer.alloc(0), webhookNetworks, alerts } = config
  const secrets = createSecrets(webhookKey)
  const deps = { secrets, rules: createAddressRules(webhookNetworks) }
  try {
    const wanted = { url, from: 'beginning' as const, ...(alerts && { events: [...EVENTS] }) }
    const db: Queries = { query: ({ text, values }) => runSql(ownerUrl, text, values) }
    const { endpoint, secret } = await createAddEndpoint(db, deps)(wanted, 'rounds dev')
    return { url: endpoint.url, secret }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'EndpointExists')
      return findWebhook(new URL(url).href, ownerUrl, secrets)
    throw error
  }
}

async function findWebhook(url: string, ownerUrl: string, secrets: ReturnType<typeof createSecrets>) {
  const [found] = await runSql<{ id: string; secret: Buffer }>(
    ownerUrl,
    'select endpoint_id as id, secret from webhooks.endpoints where url = $1',
    [url],
  )
  if (!found) throw new CommandError('The endpoint of --webhook was removed meanwhile. Start again.')
  try {
    return { url, secret: secrets.decrypt(found.secret, found.id) }
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw new CommandError(
      `The endpoint of --webhook was added with another WEBHOOK_KEY. Set that one, or "rounds webhook remove ${found.id}".`,
      { cause: error },
    )
  }
}
