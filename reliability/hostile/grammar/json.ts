// Malformed JSON, JSON that is not a request, and bodies that contradict their headers.

import type { Random } from '../random.ts'
import { asked, posted, raw, type HostileClass } from '../hostile-request.ts'
import type { World } from '../world.ts'
import { cut, hostileText, hugeNumbers, texts } from './payloads.ts'

const query = '{ __typename }'

export const malformedJson: HostileClass = {
  name: 'malformed JSON', weight: 10,
  make: (random, world) => posted(random.pick(bodies)(random, world)),
}

const bodies: readonly ((random: Random, world: World) => string | Buffer)[] = [
  (random) => cut(JSON.stringify({ query, variables: { a: [1, { b: 'c' }] } }), random),
  (random) => random.bytes(random.between(1, 400)),
  (random) => Buffer.concat([Buffer.from('{"query":"{ __typename }'), random.bytes(random.between(1, 20)), Buffer.from('"}')]),
  () => Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  () => `\ufeff${JSON.stringify({ query })}`,
  () => `\u0000${JSON.stringify({ query })}`,
  () => `{"query":"{ __typename }\u0000"}`,
  () => '{"query":"{ __typename } # \\ud800"}',
  (random) => random.pick(['', ' ', 'null', 'true', '0', '""', '[]', '{}', '[[]]', '"{ __typename }"', 'NaN', 'undefined', "{'query': 1}", '{query:1}', '{"query":}', '{"query":"{ __typename }",}', '//', '{}{}', '{"query"']),
  (random) => JSON.stringify({ query: random.pick<unknown>([null, 1, true, {}, [], ['{ __typename }'], { toString: 'x' }, '']) }),
  (random) => JSON.stringify({ query, variables: random.pick([1, 'x', true, [], [1], '{"a":1}', [[]]]) }),
  (random) => JSON.stringify({ query, operationName: random.pick([1, true, {}, [], 'x', '', '__proto__', 'constructor']) }),
  (random) => JSON.stringify({ query, extensions: random.pick([1, 'x', [], { persistedQuery: 1 }, { persistedQuery: { version: 1, sha256Hash: hostileText(random) } }, { persistedQuery: { version: '1', sha256Hash: {} } }]) }),
  (random) => JSON.stringify({ query, [hostileText(random)]: hostileText(random) }),
  () => '{"query":"{ __typename }","query":"{ nope }","query":"{ __typename }"}',
  () => '{"query":"{ nope }","variables":{},"variables":{"a":1},"variables":null}',
  (random) => `{"query":"query($a: Int) { __typename }","variables":{"a":${random.pick(hugeNumbers)}}}`,
  (random) => nested('[', ']', random.pick([50, 1000, 10_000, 40_000])),
  (random) => nested('{"a":', '}', random.pick([50, 1000, 10_000])),
  (random) => `{"query":"{ __typename }","variables":{"a":${nested('[', ']', random.pick([100, 5000, 40_000]))}}}`,
  (random) => JSON.stringify({ query: hostileText(random) }),
  (random) => JSON.stringify({ query: `{ __typename @${random.pick(texts)} }` }),
  (random) => JSON.stringify(Array.from({ length: random.pick([1, 2, 50, 1000]) }, () => ({ query }))),
  (random) => JSON.stringify({ query, variables: Object.fromEntries(Array.from({ length: random.pick([10, 2000]) }, (_, at) => [`v${at}`, at])) }),
]

function nested(open: string, close: string, depth: number): string {
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

/** Bodies of the wrong length, invalid chunks, or several requests at once. */
export const oddBodies: HostileClass = {
  name: 'odd bodies', weight: 4,
  make: (random) => random.pick(odd)(random),
}

const good = JSON.stringify({ query })
const head = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: application/json\r\n'
const inChunks = (chunks: string): string => `${head}transfer-encoding: chunked\r\n\r\n${chunks}`
const whole = `${head}content-length: ${good.length}\r\n\r\n${good}`

const odd: readonly ((random: Random) => ReturnType<typeof raw>)[] = [
  (random) => raw(`${head}content-length: ${good.length + random.between(1, 50)}\r\n\r\n${good}`),
  (random) => raw(`${head}content-length: ${good.length - random.between(1, good.length)}\r\n\r\n${good}`),
  (random) => raw(`${head}content-length: ${random.pick(['-1', 'x', '1e3', '0x10', '99999999999999999999', '', ' ', '+25', '1,2', '25 '])}\r\n\r\n${good}`),
  (random) => raw(inChunks(`${good.length.toString(16)}${random.pick([';x=y', ';'.repeat(50), ' ', ''])}\r\n${good}\r\n0\r\n\r\n`)),
  (random) => raw(inChunks(`${random.pick(['-1', 'zz', 'fffffffffffffffff', '', '0x5', '5 5'])}\r\n${good}\r\n0\r\n\r\n`)),
  () => raw(inChunks([...good].map((character) => `1\r\n${character}\r\n`).join('') + '0\r\n\r\n'), { answers: 1, ends: false }),
  () => raw(inChunks(`${good.length.toString(16)}\r\n${good}\r\n0\r\nx-trailer: 1\r\n__proto__: 2\r\n\r\n`), { answers: 1, ends: false }),
  () => raw(inChunks(`${good.length.toString(16)}\r\n${good}\r\n`)),
  (random) => raw(whole.repeat(random.between(2, 20)), { answers: 2, ends: false }),
  (random) => raw(whole + whole.slice(0, random.below(whole.length))),
  (random) => raw(`${whole}${random.bytes(50).toString('latin1')}`),
  (random) => asked(random.pick(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']), '/graphql', { 'content-type': 'application/json' }, good, 'http'),
]
