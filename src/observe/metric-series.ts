// Counters and histograms as plain numbers, one series for each combination of labels. An operation updates a dozen of them, which
// prom-client would look up by their labels each time; it only prints them here, when Prometheus scrapes.

import type { Registry } from 'prom-client'

type Value = { readonly value: number; readonly labels: Readonly<Record<string, string | number>>; readonly metricName?: string }

/** The series of one metric, by the values of its labels in their order. */
class Family<Series> {
  readonly #labelNames: readonly string[]
  readonly #create: () => Series
  readonly #root = new Map<string, unknown>()
  readonly #all: { readonly labels: Record<string, string>; readonly series: Series }[] = []

  constructor(labelNames: readonly string[], create: () => Series) {
    this.#labelNames = labelNames
    this.#create = create
    // Without labels there is one series, which is printed from the start.
    if (labelNames.length === 0) this.with()
  }

  with(...values: readonly string[]): Series {
    let level = this.#root
    for (let at = 0; at < values.length; at++) {
      let next = level.get(values[at]!) as Map<string, unknown> | undefined
      if (next === undefined) level.set(values[at]!, (next = new Map()))
      level = next
    }
    let series = level.get('') as Series | undefined
    if (series === undefined) {
      level.set('', (series = this.#create()))
      this.#all.push({ labels: Object.fromEntries(this.#labelNames.map((name, at) => [name, values[at]!])), series })
    }
    return series
  }

  values(of: (series: Series, labels: Record<string, string>) => readonly Value[]): Value[] {
    return this.#all.flatMap(({ series, labels }) => of(series, labels))
  }
}

export interface CounterSeries {
  value: number
}

export interface MetricOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

export class CounterFamily extends Family<CounterSeries> {
  constructor({ name, help, labelNames }: MetricOptions, registry: Registry) {
    super(labelNames, () => ({ value: 0 }))
    print(registry, { name, help, labelNames, type: 'counter' }, () => this.values(({ value }, labels) => [{ value, labels }]))
  }
}

export class HistogramSeries {
  readonly #bounds: readonly number[]
  /** How many values are in each bucket and in none before it; the last are beyond every bound. */
  readonly #counts: number[]
  #sum = 0
  #count = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    let bucket = 0
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++
    this.#counts[bucket]!++
    this.#sum += value
    this.#count++
  }

  values(name: string, labels: Record<string, string>): Value[] {
    let upTo = 0
    const buckets = [...this.#bounds, '+Inf'].map((le, at) => ({ value: (upTo += this.#counts[at]!), labels: { ...labels, le }, metricName: `${name}_bucket` }))
    return [...buckets, { value: this.#sum, labels, metricName: `${name}_sum` }, { value: this.#count, labels, metricName: `${name}_count` }]
  }
}

export class HistogramFamily extends Family<HistogramSeries> {
  constructor({ name, help, labelNames }: MetricOptions, bounds: readonly number[], registry: Registry) {
    super(labelNames, () => new HistogramSeries(bounds))
    print(registry, { name, help, labelNames, type: 'histogram' }, () => this.values((series, labels) => series.values(name, labels)))
  }
}

/** A registry prints whatever has a name and a `get`; its types ask for more. */
function print(registry: Registry, described: MetricOptions & { readonly type: 'counter' | 'histogram' }, values: () => readonly Value[]): void {
  const metric = { ...described, get: async () => ({ ...described, aggregator: 'sum', values: values() }) }
  registry.registerMetric(metric as unknown as Parameters<Registry['registerMetric']>[0])
}
