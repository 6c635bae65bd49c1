// What a client prefers: `Accept` and `Accept-Encoding` (RFC 9110, 12.5), `Prefer` (RFC 7240), and the `Vary`
// that an answer then needs. All of them are lists, such as `text/csv;q=0.9, */*`.
//
// - No header may turn an answer into a refusal: an element that is not well-formed counts as not sent.
// - Parameters other than the weight choose nothing here and are ignored.
// - Lists are parsed without regular expressions, in linear time: a header may have 8 KiB.
//
// The package `negotiator` was tried and parses as quickly, but would change which answer a client gets: for a media range with
// parameters, for a weight of 2, and by the order of elements with the same weight.
import type { FastifyReply } from 'fastify'

type Wish = { name: string; weight: number }

/**
 * The media type to send, or undefined where none of the offered is wanted. The higher weight wins, then the one that is
 * named over one that a wildcard covers, then the order of the offers.
 */
export function preferredMediaType<Offer extends string>(
  header: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  const wishes = wishesOf(header ?? '*/*')
  return bestOf(offers, (offer) => rankIn(wishes, [offer, `${offer.split('/', 1)[0]}/*`, '*/*']))
}

/** The encoding to send, or undefined for none: also where a client would rather have the answer as it is. */
export function preferredEncoding<Offer extends string>(
  header: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  const wishes = wishesOf(header ?? '')
  const plain = wishes.find(({ name }) => name === 'identity')?.weight ?? 0
  return bestOf(offers, (offer) => {
    const rank = rankIn(wishes, [offer, '*'])
    return rank && rank.weight >= plain ? rank : undefined
  })
}

type Rank = { weight: number; specificity: number }

/** How much one of the names is wanted, by the most specific of them that was sent. */
function rankIn(wishes: Wish[], namesFromSpecific: string[]): Rank | undefined {
  for (const [index, name] of namesFromSpecific.entries()) {
    const wish = wishes.find((sent) => sent.name === name)
    if (wish) return wish.weight > 0 ? { weight: wish.weight, specificity: -index } : undefined
  }
  return undefined
}

function bestOf<Offer>(offers: readonly Offer[], rankOf: (offer: Offer) => Rank | undefined) {
  return offers
    .map((offer) => ({ offer, ...(rankOf(offer) ?? { weight: 0, specificity: 0 }) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || b.specificity - a.specificity)
    .at(0)?.offer
}

function wishesOf(header: string): Wish[] {
  return partsOf(header, ',').flatMap((element) => {
    const [name = '', ...parameters] = partsOf(element, ';')
    const [, weight = '1'] = parameters.map(nameAndValue).find(([parameter]) => parameter === 'q') ?? []
    const isSound = name !== '' && /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)
    return isSound ? { name: name.toLowerCase(), weight: Number(weight) } : []
  })
}

/**
 * Whether a preference has this value, in any case and whatever its parameters. Of one that is sent twice only the first
 * counts, as the RFC says.
 */
export function prefers(header: string | undefined, name: string, value: string): boolean {
  for (const element of partsOf(header ?? '', ',')) {
    const [sentName, sentValue] = nameAndValue(partsOf(element, ';')[0] ?? '')
    if (sentName === name) return sentValue.toLowerCase() === value
  }
  return false
}

/** Adds to what other parts of the server have set already (CORS: Origin). */
export function varyBy(reply: FastifyReply, ...headers: string[]) {
  const already = reply.getHeader('vary')
  void reply.header('vary', [...(already === undefined ? [] : [already]), ...headers].join(', '))
}

/** The parts between separators; one that stands within quotes separates nothing. */
function partsOf(header: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < header.length; at++) {
    const character = header[at]
    if (isQuoted && character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === separator && !isQuoted) {
      parts.push(header.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, header.slice(start)].map((part) => part.trim())
}

/** `name=value` or a name alone: the name in lower case, the value without its quotes. */
function nameAndValue(part: string): [name: string, value: string] {
  const equals = part.indexOf('=')
  if (equals === -1) return [part.toLowerCase(), '']
  const value = part.slice(equals + 1).trim()
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  return [
    part.slice(0, equals).trim().toLowerCase(),
    isQuoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value,
  ]
}
