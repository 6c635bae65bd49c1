// The path /: a browser is redirected to the console, or where there is none to the reference pages; other clients get the name,
// the version and links.
import { version } from '../config/version.ts'
import { preferredMediaType, varyBy } from './preferences.ts'
import type { Server } from './server.ts'

const OFFERS = ['application/json', 'text/html'] as const

export function frontPage(app: Server, links: Record<string, string>) {
  const answer = { name: 'rounds', version, links: { docs: '/docs', openapi: '/openapi.json', ...links } }
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    void reply.header('cache-control', 'public, no-cache')
    varyBy(reply, 'Accept')
    return preferredMediaType(request.headers.accept, OFFERS) === 'text/html'
      ? reply.redirect(links['console'] ?? '/docs', 302)
      : reply.send(answer)
  })
}
