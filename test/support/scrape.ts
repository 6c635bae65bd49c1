// What /metrics says, as Prometheus reads it.
type Labels = Record<string, string>
export type Sample = { name: string; labels: Labels; value: number }

export async function scrape(adminUrl: string): Promise<Sample[]> {
  const response = await fetch(`${adminUrl}/metrics`)
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`)
  return [...(await response.text()).matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value = '']) => ({ name, labels: labelsFrom(labels), value: Number(value) }),
  )
}

function labelsFrom(text: string): Labels {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', word = '']) => [key, word]),
  )
}

/** The samples of a name that carry these labels, and maybe others. */
export function find(samples: Sample[], name: string, labels: Labels = {}): Sample[] {
  return samples.filter(
    (sample) =>
      sample.name === name && Object.keys(labels).every((key) => sample.labels[key] === labels[key]),
  )
}

/** By how much numbers grow while something is done. What is counted by label may not be there before. */
export async function growthDuring(adminUrl: string, work: () => Promise<unknown>) {
  const before = await scrape(adminUrl)
  await work()
  const after = await scrape(adminUrl)
  return (name: string, labels?: Labels): number => {
    const grown = find(after, name, labels)
    if (grown.length === 0) throw new Error(`There is no ${name} ${JSON.stringify(labels)}.`)
    return sum(grown) - sum(find(before, name, labels))
  }
}

function sum(samples: Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0)
}
