// Invented cursors and global ids, valid ones used elsewhere, and impossible page arguments.

import type { Random } from '../random.ts'
import { operation, type HostileClass } from '../hostile-request.ts'
import { literal } from '../values.ts'
import type { World } from '../world.ts'
import { cut, hostileText, hugeNumbers } from './payloads.ts'

export const pages: HostileClass = {
  name: 'cursors and pages', weight: 8,
  make(random, world) {
    const field = random.pick([...world.cursors.keys()])
    const own = world.cursors.get(field)!
    const given = tampered(random.pick(own), random, world)
    const cursor = literal(given)
    const size = random.pick([...hugeNumbers, 'null', '"1"', 'ID', '[1]', '1000', '1001', '2147483647'])
    const page = random.pick([`first: ${size}`, `last: ${size}`, `first: 2, after: ${cursor}`, `last: 2, before: ${cursor}`, `after: ${cursor}`, `before: ${cursor}`, `first: 1, last: 1`, `first: ${size}, after: ${cursor}`, `first: 1, before: ${cursor}`])
    const order = random.chance(0.3) ? ', orderBy: { field: ID, direction: DESC }' : ''
    const hostile = operation(`{ ${field}(${page}${order}) { totalCount nodes { nodeId } pageInfo { endCursor hasNextPage } } }`)
    // Decoding ignores characters outside the alphabet, so the rest may still be a cursor; in another order it is not.
    const foreign = page.includes(cursor) && (order !== '' || !own.some((good) => Buffer.from(good, 'base64url').equals(Buffer.from(given, 'base64url'))))
    return !foreign ? hostile : { ...hostile, afterwards: async ({ body }) => (body.startsWith('{"data":{') ? ['a cursor that was not given out for this list in this order is taken'] : []) }
  },
}

export const globalIds: HostileClass = {
  name: 'global ids', weight: 4,
  make(random, world) {
    const nodeId = random.chance(0.5) ? tampered(random.pick(world.nodeIds), random, world) : Buffer.from(random.pick(parts)(random, world)).toString(random.pick(['base64url', 'base64']))
    return operation('query($nodeId: ID!) { node(nodeId: $nodeId) { __typename nodeId } }', { nodeId })
  },
}

/** The invented contents of a global id. */
const parts: readonly ((random: Random, world: World) => string)[] = [
  (random, world) => JSON.stringify([random.pick([...world.ids.keys()]), hostileText(random)]),
  (random, world) => JSON.stringify([random.pick([...world.ids.keys()]), 'x', random.pick([null, [], ['a'], [['a']], ['a', 1, true], { length: 1 }, [{}], [hostileText(random), hostileText(random), hostileText(random)]])]),
  (random, world) => JSON.stringify([random.pick([...world.ids.keys()]), random.pick([1, null, {}, [], true])]),
  (random) => JSON.stringify([random.pick(['quire', '__proto__', 'constructor', 'Node', 'Query', '', hostileText(random)]), random.pick(['cursor-secret', 'seeded', 'x'])]),
  (random) => random.pick(['[]', '{}', 'null', '1', '"x"', '[[[]]]', '', '[', '{"length":2,"0":"Book","1":"b1"}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`]),
]

/** One bit flipped, something removed or added, or taken from elsewhere. */
function tampered(good: string, random: Random, world: World): string {
  return random.pick([
    () => turned(good, random),
    () => cut(good, random),
    () => good + random.pick(['A', '=', '==', '\u0000', ' ', good]),
    () => random.pick(world.cursors.get(random.pick([...world.cursors.keys()]))!),
    () => random.pick(world.nodeIds),
    () => random.bytes(random.between(0, 60)).toString('base64'),
    () => Buffer.from(JSON.stringify([hostileText(random), 'x'])).toString('base64url'),
    () => hostileText(random),
    () => good.toLowerCase(),
    () => [...good].toReversed().join(''),
    () => `${good.slice(0, 16)}${Buffer.from(JSON.stringify([null, random.pick(['x', 'b1'])])).toString('base64url')}`,
  ])()
}

function turned(text: string, random: Random): string {
  const bytes = Buffer.from(text, 'base64url')
  const at = random.below(bytes.length)
  bytes[at] = bytes[at]! ^ (1 << random.below(8))
  return bytes.toString('base64url')
}
