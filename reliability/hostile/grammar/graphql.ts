// GraphQL that is malformed, truncated or meaningless.

import type { Random } from '../random.ts'
import { asked, operation, posted, type HostileClass } from '../hostile-request.ts'
import { literal, operationAt } from '../values.ts'
import type { World } from '../world.ts'
import { cut, hostileText, hugeNumbers } from './payloads.ts'

export const malformedGraphql: HostileClass = {
  name: 'malformed GraphQL', weight: 12,
  make: (random, world) => operation(random.pick(documents)(random, world), random.chance(0.3) ? { x: hostileText(random) } : undefined),
}

/** A valid document with the schema's own fields. */
function valid(random: Random, world: World): string {
  const places = world.places.filter(({ operation: type, path }) => type === 'query' && path.length <= 2)
  const { query } = operationAt(random.pick(places), hostileText(random), random, world)
  return query
}

const documents: readonly ((random: Random, world: World) => string)[] = [
  (random) => random.bytes(random.between(1, 300)).toString('latin1'),
  (random) => Array.from({ length: random.between(1, 60) }, () => random.pick(['{', '}', '(', ')', '[', ']', ':', '!', '$', '@', '...', '"', '"""', 'on', 'query', 'fragment', 'x', '1', '|', '&', '=', '#', ',', '\\', '\n'])).join(random.pick(['', ' '])),
  (random, world) => cut(valid(random, world), random),
  (random, world) => swapped(valid(random, world), random),
  (random, world) => valid(random, world).replace('__typename', random.pick(['__type', '__schema', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'node { x }', '... on X { y }', '... on __proto__ { y }', '...constructor', '... { __typename }'])),
  (random) => `{ __typename @${random.pick(['skip', 'skip(if: 1)', 'skip(if: $x)', 'include', 'include(if: null)', 'read(from: X)', 'read(maxStaleMs: -1)', 'read(maxStaleMs: 99999999999)', 'read(maxStaleMs: 1e9)', 'defer', 'stream', 'deprecated', '__proto__', 'constructor', 'oneOf', 'specifiedBy(url: "x")'])} }`,
  (random) => `query @${random.pick(['read(maxStaleMs: -1)', 'read(from: NONE)', 'skip(if: true)', 'x'])} { __typename }`,
  (random) => `query($x: ${random.pick(['X', 'Book', '[Int', 'Int!!', 'Int! = null', 'String = 1', 'BookFilter = { __proto__: 1 }', '__proto__', 'ID = {}', '[[[[[[Int]]]]]]', 'Int = $y', 'Query'])}) { __typename }`,
  () => 'query($x: Int, $x: Int) { __typename }',
  () => 'query A { __typename } query A { __typename }',
  () => 'query A { __typename } query B { __typename }',
  () => '{ __typename } { __typename }',
  () => 'fragment F on Query { __typename }',
  () => 'type Query { x: Int } { __typename }',
  () => 'extend schema @x { query: Y }',
  () => 'subscription { __typename }',
  () => 'subscription A { a: __typename b: __typename }',
  () => 'mutation { __typename }',
  () => 'fragment A on Query { ...A } { ...A }',
  () => 'fragment A on Query { ...B } fragment B on Query { ...A } { ...A }',
  () => '{ ...Missing }',
  (random) => `{ node(nodeId: ${random.pick(hugeNumbers)}) { nodeId } }`,
  (random) => `{ node(nodeId: ${literal(hostileText(random))}) { nodeId } }`,
  (random) => `{ node(nodeId: """${hostileText(random)}""") { nodeId } }`,
  (random) => `{ node(nodeId: "\\u{${random.pick(['0', 'd800', '110000', 'ffffffff', '', 'x', '10FFFF'])}}") { nodeId } }`,
  (random) => `{ a: __typename ${'a: __schema '.repeat(random.between(1, 5))} }`,
  (random) => `${'#'.repeat(random.between(1, 3000))}\n{ __typename }`,
  (random) => `{ ${hostileText(random)} }`,
  (random) => `query ${hostileText(random)} { __typename }`,
]

/** Two characters exchanged, one removed or one doubled. */
function swapped(text: string, random: Random): string {
  const at = random.below(text.length)
  return random.pick([text.slice(0, at) + text.slice(at + 1), text.slice(0, at) + text.slice(at).slice(0, 2) + text.slice(at), text.slice(0, at) + random.pick([...'{}()[]:!$"@.,']) + text.slice(at + 1)])
}

/** Several operations, missing names, and the other ways to request an operation. */
export const operations: HostileClass = {
  name: 'operations and how they are asked for', weight: 4,
  make(random, world) {
    const query = random.pick(['query A { __typename } mutation B { __typename } subscription C { __typename }', 'query A { __typename }', '{ __typename }', 'subscription { __typename }', 'mutation M { __typename }', valid(random, world)])
    const operationName = random.pick(['A', 'B', 'C', 'M', '', 'D', '__proto__', 'constructor', hostileText(random)])
    if (random.chance(0.6)) return posted(JSON.stringify({ query, operationName, variables: random.pick([null, {}, { x: 1 }]) }), random.chance(0.2) ? { accept: random.pick(['text/event-stream', 'multipart/mixed', 'application/graphql-response+json', '*/*']) } : {})
    const target = `/graphql?${new URLSearchParams({ query: query.toWellFormed(), operationName: operationName.toWellFormed(), variables: random.pick(['', '{}', '{', '[]', '{"__proto__":{"a":1}}', 'null', '1']) }).toString()}`
    return asked(random.pick(['GET', 'GET', 'POST', 'HEAD']), target, { accept: 'application/json' }, '', 'http')
  },
}

/** Subscriptions that are closed right after they open. */
export const subscriptions: HostileClass = {
  name: 'subscriptions', weight: 2,
  make(random, world) {
    const places = world.places.filter(({ operation: type, trail }) => type === 'subscription' && trail.length === 1)
    const { query, variables } = operationAt(random.pick(places), random.pick([hostileText(random), [], null, world.value.text]), random, world)
    return { ...operation(query, variables, { accept: random.pick(['text/event-stream', 'multipart/mixed', 'text/event-stream, application/json', 'application/json']) }), alone: true, answered: 'http' }
  },
}

/** Documents that are too deep, too wide or too long. */
export const floods: HostileClass = {
  name: 'floods', weight: 1,
  make: (random, world) => operation(random.pick(flooding)(random, world)),
}

const flooding: readonly ((random: Random, world: World) => string)[] = [
  (random) => nestedSelection(random.pick([2000, 5000, 20_000])),
  (random) => `{ ${Array.from({ length: random.pick([1000, 10_000, 30_000]) }, (_, at) => `a${at}: __typename`).join(' ')} }`,
  (random, world) => `{ ${Array.from({ length: random.pick([100, 1000]) }, (_, at) => `a${at}: ${[...world.cursors.keys()][at % world.cursors.size]!}(first: 1000) { nodes { nodeId } }`).join(' ')} }`,
  (random) => `{ __typename ${'@skip(if: false) '.repeat(random.pick([100, 5000, 20_000]))} }`,
  (random) => `{ __typename ${Array.from({ length: random.pick([100, 5000]) }, (_, at) => `@x${at}`).join(' ')} }`,
  (random) => `{ node(nodeId: ${'['.repeat(random.pick([100, 2000, 20_000]))} }`,
  (random) => ((depth) => `{ node(nodeId: ${'['.repeat(depth)}${']'.repeat(depth)}) { nodeId } }`)(random.pick([100, 2000, 20_000])),
  (random) => ((depth) => `{ node(nodeId: ${'{a:'.repeat(depth)}1${'}'.repeat(depth)}) { nodeId } }`)(random.pick([100, 2000, 20_000])),
  (random) => ((depth) => `query($x: ${'['.repeat(depth)}Int${']'.repeat(depth)}) { __typename }`)(random.pick([100, 2000, 20_000])),
  (random) => `{ node(nodeId: "${'x'.repeat(random.pick([10_000, 90_000, 1_000_000]))}") { nodeId } }`,
  (random) => `{ node(nodeId: """${'x\n'.repeat(random.pick([10_000, 400_000]))}""") { nodeId } }`,
  (random) => `{ node(nodeId: ${'9'.repeat(random.pick([1000, 100_000]))}) { nodeId } }`,
  (random) => `{ node(nodeId: ${'9'.repeat(random.pick([1000, 50_000]))}.${'9'.repeat(1000)}e9999) { nodeId } }`,
  (random) => fragmentBomb(random.pick([10, 20, 26])),
  (random) => fragmentRing(random.pick([10, 1000, 5000])),
  (random) => `{ ${'__typename '.repeat(random.pick([5000, 20_000]))} }`,
  (random) => `{ ${'... { '.repeat(random.pick([500, 5000]))}__typename${' }'.repeat(5000)} }`,
  (random) => Array.from({ length: random.pick([50, 1000]) }, (_, at) => `query Q${at} { __typename }`).join(' '),
  (random) => `query(${Array.from({ length: random.pick([100, 5000]) }, (_, at) => `$v${at}: Int = ${at}`).join(' ')}) { __typename }`,
  (random) => `{ ${Array.from({ length: random.pick([50, 500]) }, () => 'node(nodeId: "a") { nodeId }').join(' ')} ${Array.from({ length: 500 }, (_, at) => `node(nodeId: "a") { x${at}: nodeId }`).join(' ')} }`,
  (random, world) => deepest(world, random.pick([5, 20, 200])),
]

function nestedSelection(depth: number): string {
  return `{ a ${'{ a '.repeat(depth)}${'}'.repeat(depth + 1)}`
}

/** Each fragment spreads the next one twice. */
function fragmentBomb(fragments: number): string {
  const all = Array.from({ length: fragments }, (_, at) => `fragment F${at} on Query { ${at === fragments - 1 ? '__typename' : `...F${at + 1} ... { ...F${at + 1} }`} }`)
  return `${all.join(' ')} { ...F0 }`
}

function fragmentRing(fragments: number): string {
  return `${Array.from({ length: fragments }, (_, at) => `fragment F${at} on Query { ...F${(at + 1) % fragments} }`).join(' ')} { ...F0 }`
}

/** Deep recursion through introspection. */
function deepest(world: World, depth: number): string {
  const [field] = [...world.cursors.keys()]
  return `{ __schema { types { ${'fields { type { '.repeat(depth)}name${' } }'.repeat(depth)} } } ${field}(first: 1) { nodes { nodeId } } }`
}
