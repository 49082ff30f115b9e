// Values that do not fit their position: of another type, far too large, or with names from prototypes.

import type { Random } from '../random.ts'
import { operation, posted, type HostileClass } from '../hostile-request.ts'
import { literal, operationAt } from '../values.ts'
import { hostileText, hugeNumbers, pollutingNames } from './payloads.ts'

/** Rotates through every argument and every input field. */
export const wrongTypes: HostileClass = {
  name: 'values of the wrong type', weight: 14,
  make(random, world) {
    const place = random.pick(world.places)
    const { query, variables } = operationAt(place, 'WRONG', random, world)
    // Numbers as JSON text, because JavaScript would change some of them.
    const wrong = random.chance(0.3) ? random.pick(hugeNumbers) : JSON.stringify(random.pick(wrongs)(random))
    const text = JSON.stringify({ query, variables }).replaceAll('"WRONG"', () => wrong)
    return posted(random.chance(0.1) ? JSON.stringify({ query: inlined(query, variables, random), variables: {} }) : text)
  },
}

const wrongs: readonly ((random: Random) => unknown)[] = [
  () => null, () => true, () => 1.5, () => -1, () => 2 ** 31, () => 2 ** 53, () => 1e300, () => '', () => 'x', () => [], () => ({}), () => [[]], () => [null], () => ({ x: 1 }), () => [{}], () => ({ id: null }), () => [1, 'x', null, {}],
  () => ({ eq: { eq: 1 } }), () => ({ in: Array.from({ length: 5000 }, (_, at) => String(at)) }), () => ({ and: [{ or: [{ not: {} }] }] }), () => ({ field: 'ID', direction: 'SIDEWAYS' }), () => ({ field: '__proto__' }),
  (random) => hostileText(random), (random) => ({ [hostileText(random)]: 1 }), (random) => ({ [random.pick(pollutingNames)]: { polluted: true } }), (random) => Array.from({ length: random.pick([10, 1001, 20_000]) }, () => 'x'), () => deep(500),
]

function deep(levels: number): unknown {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) value = { not: value }
  return value
}

/** The same with literals in the document, one of them hostile. */
function inlined(query: string, variables: Record<string, unknown>, random: Random): string {
  const number = random.pick(hugeNumbers)
  return query.replace(/^(\w+)\([^)]*\)/, '$1').replaceAll(/\$(v\d+)/g, (_, name: string) => literal(variables[name]).replace('"WRONG"', () => (random.chance(0.5) ? number : literal(hostileText(random)))))
}

/** Names from prototypes as keys of every object. */
export const pollution: HostileClass = {
  name: 'prototype pollution', weight: 8,
  make(random, world) {
    const name = random.pick(pollutingNames)
    const bad = `${JSON.stringify(name)}:${random.pick(['{"polluted":true}', '{"prototype":{"polluted":true}}', '1', 'null', '"x"', '[]', '{"toString":1}', '{"query":"{ nope }"}'])}`
    const place = random.pick(world.places)
    const { query, variables } = operationAt(place, 'x', random, world)
    const given = JSON.stringify(variables)
    const inKeys = (json: string): string => json.replace(/^\{/, `{${bad}${json === '{}' ? '' : ','}`)
    return random.pick([
      () => posted(inKeys(JSON.stringify({ query, variables }))),
      () => posted(`{"query":${JSON.stringify(query)},"variables":${inKeys(given)}}`),
      () => posted(`{"query":${JSON.stringify(query)},"variables":${given.replaceAll(/:\{/g, (found) => (random.chance(0.7) ? `:{${bad},` : found)).replaceAll(',}', '}')}}`),
      () => posted(`{"query":"{ __typename }","extensions":{${bad}}}`),
      () => posted(`{"query":"{ __typename }","extensions":{"persistedQuery":{${bad}}},${bad}}`),
      () => posted(`{"query":"query($x: Int) { __typename }","variables":{"x":{${bad}}}}`),
      () => operation(`query($${name}: Int) { __typename }`, { x: 1 }),
      () => posted(`{"query":"query($${name}: Int) { __typename }","variables":{${bad}}}`),
      () => operation(`{ ${name}: __typename }`),
      () => operation(`{ ${[...world.cursors.keys()][0]!}(first: 1) { ${name}: nodes { ${name}: __typename __proto__: id } } }`),
      () => operation(`query ${name} { __typename }`),
      () => operation(`fragment ${name} on Query { __typename } { ...${name} }`),
      () => operation(`{ ${[...world.cursors.keys()][0]!}(filter: { ${name}: { polluted: true } }) { totalCount } }`),
      () => operation(`{ ${[...world.cursors.keys()][0]!}(${name}: 1) { totalCount } }`),
      () => operation(`{ ${[...world.cursors.keys()][0]!}(orderBy: { field: ${name} }) { totalCount } }`),
      () => operation(`query($f: Int = ${literal({ [name]: 1 })}) { __typename }`),
    ])()
  },
}
