// What a client says it can take (RFC 9110, 12.5): `Accept` and `Accept-Encoding`, lists of names with weights.
// Parameters other than the weight choose nothing here and are passed over; an element that is not well-formed counts
// as not sent, because no header may turn an answer into a refusal.
import { nameAndValue, partsOf } from '../header-parts.ts'

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
