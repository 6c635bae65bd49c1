/** What follows one another without a gap, run by run, so that no line bridges what was not measured. */
export function runsOf<Item>(
  items: readonly Item[],
  follows: (before: Item, item: Item) => boolean,
): Item[][] {
  const runs: Item[][] = []
  for (const item of items) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    if (run && before !== undefined && follows(before, item)) run.push(item)
    else runs.push([item])
  }
  return runs
}
