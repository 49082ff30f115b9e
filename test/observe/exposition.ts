// A strict parser of Prometheus's text format: everything that a scraper might reject is an error.

export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: readonly Sample[]
}

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The sum of the samples with that name and these labels, rounded free of floating-point errors. */
export function sampled(families: ReadonlyMap<string, Family>, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const family = [...families.values()].find((one) => name.startsWith(one.name))
  if (!family) throw new Error(`There is no ${name}.`)
  return sumOf(family.samples.filter((sample) => sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text)).map(({ value }) => value))
}

export function sumOf(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((total, each) => total + each, 0) * 1e6) / 1e6
}

const suffixes: Record<string, readonly string[]> = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'], summary: ['', '_sum', '_count'] }

export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const families = new Map<string, { name: string; type: string; help: string; samples: Sample[] }>()
  const seen = new Set<string>()
  let current: { name: string; type: string; help: string; samples: Sample[] } | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const [, word, name, rest] = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line) ?? []
    if (word === 'HELP') {
      if (families.has(name!)) throw new Error(`${name} has two families.`)
      current = { name: name!, type: '', help: rest!, samples: [] }
      families.set(name!, current)
    } else if (word === 'TYPE') {
      if (current?.name !== name || current!.type !== '' || suffixes[rest!] === undefined) throw new Error(`A type where none can be: ${line}`)
      current!.type = rest!
    } else {
      const sample = readSample(line)
      if (!current || !suffixes[current.type]?.some((suffix) => sample.name === current!.name + suffix)) throw new Error(`A sample of nothing: ${line}`)
      const identity = JSON.stringify([sample.name, ...Object.entries(sample.labels).map(([label, said]) => `${label}=${said}`).toSorted((one, other) => (one < other ? -1 : 1))])
      if (seen.has(identity)) throw new Error(`The same sample twice: ${line}`)
      seen.add(identity)
      current.samples.push(sample)
    }
  }
  for (const family of families.values()) checkHistogram(family)
  return families
}

function readSample(line: string): Sample {
  const [, name, labels = '', value] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === undefined || !/^([+-]?\d+(\.\d+)?(e[+-]?\d+)?|[+-]?Inf|NaN)$/i.test(value!)) throw new Error(`Not a sample: ${line}`)
  const found = [...labels.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/g)]
  if (found.map(([whole]) => whole).join('') !== labels) throw new Error(`Not labels: ${line}`)
  return { name, labels: Object.fromEntries(found.map(([, label, text]) => [label!, text!])), value: value === '+Inf' ? Infinity : Number(value) }
}

/** Buckets are cumulative, and the last one equals the count. */
function checkHistogram({ name, type, samples }: Family): void {
  if (type !== 'histogram') return
  for (const [labels, all] of Map.groupBy(samples, ({ labels: { le: _, ...others } }) => JSON.stringify(others))) {
    const buckets = all.filter((sample) => sample.name.endsWith('_bucket'))
    const counts = buckets.map(({ value }) => value)
    const ordered = counts.every((count, index) => index === 0 || count >= counts[index - 1]!)
    if (!ordered || buckets.at(-1)?.labels['le'] !== '+Inf' || all.find((sample) => sample.name.endsWith('_count'))?.value !== counts.at(-1)) throw new Error(`${name}${labels} does not add up.`)
  }
}
