// Checks whether JSON is a workload. Names are checked too, because they become part of GraphQL documents later.

type Check = (value: unknown, at: string) => string | undefined

/** The path of the first problem, or undefined. */
export function checkWorkload(value: unknown): string | undefined {
  return workload(value, '')
}

const amount: Check = (value, at) => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? undefined : at)
const moment: Check = (value, at) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? undefined : at)
const name: Check = (value, at) => (typeof value === 'string' && /^[_A-Za-z]\w*$/.test(value) ? undefined : at)
const coordinate: Check = (value, at) => (typeof value === 'string' && /^[_A-Za-z]\w*\.[_A-Za-z]\w*$/.test(value) ? undefined : at)
const names: Check = (value, at) => (typeof value === 'string' && /^([_A-Za-z]\w*(,[_A-Za-z]\w*)*)?$/.test(value) ? undefined : at)

function object(checks: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return at
    const given = value as Record<string, unknown>
    return first([
      ...Object.entries(checks).map(([key, check]) => () => check(given[key], below(at, key))),
      ...Object.entries(optional).filter(([key]) => given[key] !== undefined).map(([key, check]) => () => check(given[key], below(at, key))),
    ])
  }
}

function listOf(check: Check): Check {
  return (value, at) => (Array.isArray(value) ? first(value.map((each, index) => () => check(each, below(at, String(index))))) : at)
}

function byName(key: Check, check: Check): Check {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return at
    return first(Object.entries(value).flatMap(([each, inner]) => [() => key(each, below(at, each.slice(0, 40))), () => check(inner, below(at, each.slice(0, 40)))]))
  }
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const wrong = check()
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function below(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`
}

const node: Check = object({ field: coordinate }, {
  given: listOf(name), forced: (value, at) => (value === true ? undefined : at), below: (value, at) => listOf(node)(value, at),
  asked: amount, resolved: amount, covered: amount, documents: amount, many: amount, manyDocuments: amount, rows: amount,
})

const workload = object({
  runs: amount,
  startedAt: moment,
  endedAt: moment,
  recordedMs: amount,
  made: object({ operations: amount, roundTrips: amount, requestCharge: amount }),
  operations: listOf(object({ times: amount, places: listOf(node) })),
  relations: byName(coordinate, object({ resolved: amount, covered: amount, documents: amount, rewritten: amount, beyond: byName(name, amount) })),
  types: byName(name, object({
    created: amount, deleted: amount, rewritten: amount, measured: amount, bytes: amount,
    updated: byName(names, amount), lists: byName(name, object({ grown: amount, longest: amount })),
  })),
  leftOut: object({ operations: amount, changes: amount, names: amount }),
})
