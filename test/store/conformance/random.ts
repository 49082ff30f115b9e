// Random documents and queries over the container `things`, chosen to be awkward: missing and null
// properties, mixed types, names that need quoting, texts that order differently by code unit.

import fc from '../../fast-check.ts'
import type { Partition } from '../../../src/model/keys/key.ts'
import { comparisons } from '../../../src/model/operators.ts'
import { reversed, type Comparison, type Condition, type Order, type Path, type Query, type Scalar, type Selection } from '../../../src/store/query.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { severalOrders, type Put } from './shelf.ts'

const text = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'ab', 'abc', '\uffff', '\ue000', '😀', '😀!', 'a\u0000b', '1', 'true', 'null', '%', '"', '\\'),
  fc.constantFrom(`'; DROP TABLE things; --`, `" OR "" = "`, '$.id', '[0]', '\u{10ffff}', 'a\u{10ffff}'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

const number = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.1, -0.1, 1e21, 1e-7, 2 ** 53, 2 ** 53 + 2, 2 ** 63, -(2 ** 62) - 2048, 5e-324, -Number.MAX_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Half of them from a few values, so that documents and queries often share one. */
export const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, true, false, 0, 1, '1', 'a', 'ab') },
  { weight: 1, arbitrary: number },
  { weight: 2, arbitrary: text },
)

const value = fc.oneof({ weight: 8, arbitrary: scalar }, { weight: 1, arbitrary: fc.constantFrom([], [1], {}, { length: 1 }) })

const plainPaths: readonly Path[] = [
  ['n'], ['a-b'], [`it's "quoted"`], ['Name'], ['name'], ['inner', 'deep-er'], ['back\\slash'], ['inner', 'length'], ['tags', 'length'], ['constructor'], ['id'],
]
const listPaths: readonly Path[] = [['tags', '*'], ['items', '*', 'it-id'], ['items', '*', 'tags', '*']]

export const plainPath = fc.constantFrom(...plainPaths)
export const path = fc.constantFrom(...plainPaths, ...listPaths)

const body: fc.Arbitrary<Body> = fc.record(
  {
    type: fc.constantFrom('thing', 'thing', 'other', 7),
    n: value,
    'a-b': value,
    [`it's "quoted"`]: value,
    Name: value,
    name: value,
    'back\\slash': value,
    inner: fc.oneof(scalar, fc.record({ 'deep-er': value }, { requiredKeys: [] })),
    tags: fc.oneof(scalar, fc.constant({ a: 1 }), fc.array(value, { maxLength: 4 })),
    items: fc.oneof(scalar, fc.array(fc.oneof(scalar, fc.record({ 'it-id': value, n: value, tags: fc.array(value, { maxLength: 2 }) }, { requiredKeys: [] })), { maxLength: 3 })),
  },
  { requiredKeys: [] },
)

const partition: fc.Arbitrary<Partition> = fc.constantFrom(['p1'], ['p1'], ['1'], [1], [null])
const id = fc.string({ unit: fc.constantFrom('a', 'B', '-', "'", 'é', '\uffff', '😀'), minLength: 1, maxLength: 3 })

export const things: fc.Arbitrary<Put[]> = fc
  .uniqueArray(fc.record({ id, partition, body }), { selector: (thing) => thing.id, maxLength: 25 })
  .map((all) => all.map((thing) => ({ kind: 'put', container: 'things', key: { partition: thing.partition, id: thing.id }, body: { ...thing.body, id: thing.id, shelf: thing.partition[0]! } })))

/** The operand of each kind of comparison, under the name of its property. */
const operands = {
  scalar: { value: scalar },
  scalars: { values: fc.array(scalar, { maxLength: 4 }) },
  text: { value: text },
}

/** Of elements, by their own properties. */
const ofElement: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition; leaf: Condition }>((tie) => ({
  leaf: fc.oneof(...Object.entries(comparisons).map(([op, { operand }]) =>
    fc.record<object>({ op: fc.constant(op), path: fc.constantFrom<Path>(['it-id'], ['n'], []), ...operands[operand] }) as fc.Arbitrary<Comparison>)),
  condition: fc.oneof(
    { maxDepth: 2 },
    { weight: 2, arbitrary: tie('leaf') },
    { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('and', 'or'), conditions: fc.array(tie('condition'), { maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('not'), condition: tie('condition') }) },
  ),
})).condition

const someElement: fc.Arbitrary<Condition> = fc.record({ op: fc.constant('some'), list: fc.constantFrom<Path>(['items'], ['tags'], ['inner']), condition: ofElement })

export const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition; leaf: Condition }>((tie) => ({
  leaf: fc.oneof(...Object.entries(comparisons).map(([op, { operand }]) =>
    fc.record<object>({ op: fc.constant(op), path, ...operands[operand] }) as fc.Arbitrary<Comparison>)),
  condition: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: tie('leaf') },
    { weight: 1, arbitrary: someElement },
    { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('and', 'or'), conditions: fc.array(tie('condition'), { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('not'), condition: tie('condition') }) },
  ),
})).condition

export const selection: fc.Arbitrary<Selection> = fc.record(
  { container: fc.constant('things'), type: fc.constantFrom('thing', 'other'), partition, where: condition },
  { requiredKeys: ['container'] },
)

/** Stores have only the declared orders of several values, from either end. */
const order: fc.Arbitrary<Order> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ path: plainPath, descending: fc.boolean() }) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...severalOrders), fc.boolean()).map(([[first, ...thenBy], isReversed]) => (isReversed ? reversed({ ...first!, thenBy }) : { ...first!, thenBy })) },
)

/** The position of an order by id is an id; any other is values and an id that need not exist. */
export const query: fc.Arbitrary<Query> = fc
  .record({ selection, order, limit: fc.integer({ min: 1, max: 30 }), after: fc.option(fc.record({ value: scalar, id, further: fc.tuple(scalar, scalar) })) })
  .map(({ selection: selected, order: orderBy, limit, after }) => ({
    ...selected,
    orderBy,
    limit,
    ...(after === null ? {} : { after: orderBy.path[0] === 'id' ? { value: after.id, id: after.id } : { value: after.value, id: after.id, ...(orderBy.thenBy ? { further: after.further.slice(0, orderBy.thenBy.length) } : {}) } }),
  }))
