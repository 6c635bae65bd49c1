// One measurement counts once: two app versions that send the same value, or one that sends it in seconds and in milliseconds, store it
// twice, and what is made of readings counts it once. For what comes in order of its times; care/status/counted.ts is the rule.
const SECOND_MS = 1_000

export class OfSecond<Item> {
  #second = -Infinity
  readonly #items = new Map<string, Item>()

  /** What came before in the same second and is the same; undefined where this is the first. */
  earlier(at: number, what: string, item: Item): Item | undefined {
    const second = Math.floor(at / SECOND_MS)
    if (second !== this.#second) this.#items.clear()
    this.#second = second
    const found = this.#items.get(what)
    if (found === undefined) this.#items.set(what, item)
    return found
  }
}

/** Nine digits: 100.4 °F is 38.00000000000001 °C. */
export const digitsOf = (value: number) => value.toPrecision(9)
