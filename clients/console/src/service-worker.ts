// Gives the built files without a network: the page and its assets, and nothing else. Answers of the API, the configuration, tokens
// and addresses, which name patients, never come into its cache. It is built as one file without imports (vite.config.ts).
//   - The page comes from the server while that answers in time, so a new release is used at once; else the one of this release.
//   - Assets change their names with their content, so the one that is stored is the right one.
//   - Each release has a cache of its own. A new worker fills it, takes over, and removes the caches of others.

/** By vite.config.ts: what the release is made of, such as /console/assets/main-1a2b3c.js, and what its page refers to. */
declare const RELEASE: { version: string; assets: string[]; entry: string }

type WorkerEvent = Event & { waitUntil: (work: Promise<unknown>) => void }
type RequestEvent = WorkerEvent & { request: Request; respondWith: (answer: Promise<Response>) => void }
type Worker = {
  addEventListener: ((type: 'install' | 'activate', listener: (event: WorkerEvent) => void) => void) &
    ((type: 'fetch', listener: (event: RequestEvent) => void) => void)
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void> }
}

const PREFIX = 'rounds console '
const CACHE = `${PREFIX}${RELEASE.version}`
const PAGE = '/console/index.html'
/** A network that hangs is as good as none. */
const PAGE_WITHIN_MS = 4_000

const worker = globalThis as unknown as Worker
const assets = new Set(RELEASE.assets)

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname, search } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (pathname.startsWith('/console/') && !pathname.includes('.')) event.respondWith(page(request))
  } else if (assets.has(pathname) && search === '') event.respondWith(asset(request))
})

async function install() {
  const cache = await caches.open(CACHE)
  const fresh = await fetch(PAGE, { cache: 'no-store', credentials: 'omit' })
  // While a release is rolled out, another server may answer with the page of another one.
  if (!fresh.ok || !(await fresh.clone().text()).includes(RELEASE.entry))
    throw new Error('The page is not that of this release.')
  await cache.put(PAGE, fresh)
  await cache.addAll(RELEASE.assets)
  await worker.skipWaiting()
}

async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name)
  await worker.clients.claim()
}

async function page(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PAGE_WITHIN_MS) })
    if (answer.status < 500) return answer
    return (await stored(PAGE)) ?? answer
  } catch (error) {
    const kept = await stored(PAGE)
    if (kept) return kept
    throw error
  }
}

async function asset(request: Request): Promise<Response> {
  return (await stored(new URL(request.url).pathname)) ?? fetch(request)
}

async function stored(path: string): Promise<Response | undefined> {
  const cache = await caches.open(CACHE)
  return cache.match(path)
}
