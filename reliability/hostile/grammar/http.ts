// Malformed HTTP around the operation: headers, paths, verbs, and request smuggling (bytes that one parser reads as one
// request and another as two).

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Random } from '../random.ts'
import { asked, posted, raw, type Headers, type Hostile, type HostileClass } from '../hostile-request.ts'
import { hostileText } from './payloads.ts'

const good = JSON.stringify({ query: '{ __typename }' })

export const headers: HostileClass = {
  name: 'headers', weight: 8,
  make: (random, world) => {
    const body = random.chance(0.7) ? good : JSON.stringify({ query: `{ ${random.pick([...world.cursors.keys()])} { nodes { nodeId } } }` })
    const chosen = { ...random.pick(oddHeaders)(random), ...(random.chance(0.3) ? random.pick(oddHeaders)(random) : {}) }
    // A request for a page, or one that is not JSON, may be answered in another format.
    return { ...posted(body, chosen), answered: chosen['accept'] === undefined && chosen['content-type'] === undefined && chosen['content-encoding'] === undefined ? 'graphql' : 'http' }
  },
}

/** The part of a text that a header can hold. */
function inHeader(text: string): string {
  return text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, (character) => encodeURIComponent(character.toWellFormed())).trim().slice(0, 3000)
}

const oddHeaders: readonly ((random: Random) => Headers)[] = [
  (random) => ({ 'x-request-id': inHeader(hostileText(random)) }),
  (random) => ({ 'x-request-id': random.pick(['%0d%0aset-cookie: x', 'a\\r\\nb', 'x'.repeat(129), 'x'.repeat(5000), '', '\u00ff', '[31m', 'a b', '"', '{}']) }),
  (random) => ({ 'quire-max-stale-ms': random.pick(['-1', 'x', '1e9', '9'.repeat(30), '', ' ', '0x10', '1.5', 'NaN', 'Infinity', '1, 2', inHeader(hostileText(random))]) }),
  (random) => ({ 'quire-session': random.pick(['-1', 'zzzzzzzzzzz', '', ' ', 'Z', 'x'.repeat(50), '1,2', inHeader(hostileText(random))]) }),
  (random) => ({ 'quire-trace': random.pick(['1', '2', 'true', '', '1,1', inHeader(hostileText(random))]) }),
  (random) => ({ origin: random.pick(['null', 'https://evil.example', 'x', '', 'https://', 'file://x', inHeader(hostileText(random))]) }),
  (random) => ({ host: random.pick(['', 'evil.example', 'a b', '[', '[::1', '127.0.0.1:99999', 'x'.repeat(3000), '%', '/', 'a/b', 'a@b', '?', '#', '\\', '127.0.0.1:abc', inHeader(hostileText(random))]) }),
  (random) => ({ accept: random.pick(['', 'text/html', 'x', 'application/xml', 'a/b;q=x', '*/*;q=0', 'application/json;q=0', 'text/event-stream', 'multipart/mixed', 'a/b,'.repeat(2000), inHeader(hostileText(random))]) }),
  (random) => ({ 'content-type': random.pick(['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=x', 'application/graphql', 'application/json; charset=utf-16', 'application/json; charset=x', 'application/json;', 'APPLICATION/JSON', 'application/jsonx', 'application/graphql+json', 'image/png', 'application/json, text/plain', `application/json; ${'x'.repeat(5000)}`, inHeader(hostileText(random))]) }),
  (random) => ({ 'content-encoding': random.pick(['gzip', 'br', 'deflate', 'x', 'identity', 'gzip, gzip', '', 'GZIP']) }),
  (random) => ({ 'accept-encoding': random.pick(['x', '*;q=0', 'gzip;q=x', 'gzip,'.repeat(1000), '__proto__', 'constructor']) }),
  (random) => ({ [`x-${'y'.repeat(random.between(1, 2000))}`]: 'z'.repeat(random.pick([1, 5000, 12_000, 40_000])) }),
  (random) => Object.fromEntries(Array.from({ length: random.pick([50, 500, 3000]) }, (_, at) => [`x-${at}`, 'y'])),
  (random) => ({ [random.pick(['__proto__', 'constructor', 'prototype', 'toString', 'hasownproperty'])]: 'x' }),
  (random) => ({ traceparent: random.pick(['00-0-0-0', '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-01', 'x', '', inHeader(hostileText(random))]), tracestate: 'x=y', baggage: `a=${'b'.repeat(9000)}` }),
  (random) => ({ authorization: random.pick(['Bearer', 'Bearer ', 'Basic x', 'Bearer a.b.c', `Bearer ${'x'.repeat(9000)}`, 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.', inHeader(hostileText(random))]) }),
  (random) => ({ cookie: `${random.pick(['a=b', '=', ';;;', '__proto__=x'])}; ${'a=b; '.repeat(random.pick([1, 500]))}` }),
  (random) => ({ 'if-none-match': random.pick(['*', '"x"', 'W/"']), range: random.pick(['bytes=0-0', 'bytes=-1', 'x']), 'if-modified-since': 'x' }),
  (random) => ({ connection: random.pick(['close', 'x', 'keep-alive, close', 'transfer-encoding']), te: 'trailers' }),
  (random) => ({ 'x-forwarded-for': inHeader(hostileText(random)), 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'x', 'x-http-method-override': 'DELETE', 'x-original-url': '/metrics' }),
]

/** Compression bombs, and encodings that do not match their header. */
export const encodings: HostileClass = {
  name: 'encodings', weight: 1,
  make(random) {
    const [name, bytes] = random.pick(bombs())(random)
    return { ...posted(bytes, { 'content-encoding': name }), answered: 'http' }
  },
}

/** Compressing them takes long, so it is done once. */
const bombs = (() => {
  let packed: readonly ((random: Random) => readonly [string, Buffer])[] | undefined
  return () => (packed ??= [
    ...[1000, 1_000_000, 20_000_000].flatMap((bytes) => {
      const [zipped, deflated] = [gzipSync(large(bytes)), deflateSync(large(bytes))]
      return [() => ['gzip', zipped] as const, () => ['deflate', deflated] as const, () => ['gzip', gzipSync(zipped)] as const]
    }),
    ((brotli) => () => ['br', brotli] as const)(brotliCompressSync(large(2_000_000))),
    () => ['gzip', gzipSync(good).subarray(0, 10)] as const,
    () => ['gzip, gzip', gzipSync(gzipSync(good))] as const,
    (random) => ['gzip', random.bytes(100)] as const,
  ])
})()

function large(bytes: number): Buffer {
  return Buffer.from(JSON.stringify({ query: '{ __typename }', extensions: { padding: ' '.repeat(bytes) } }))
}

export const forms: HostileClass = {
  name: 'forms', weight: 1,
  make(random, world) {
    const field = [...world.cursors.keys()][0]!
    const query = random.pick(['{ __typename }', `{ ${field} { totalCount } }`, 'mutation { __typename }', hostileText(random)])
    const part = `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query, variables: { file: null } })}\r\n--x\r\ncontent-disposition: form-data; name="map"\r\n\r\n${random.pick(['{}', '{"0":["variables.file"]}', '{"0":["__proto__.polluted"]}', '{"0":["variables.__proto__.polluted"]}', '{"0":["variables.constructor.prototype.polluted"]}', '['])}\r\n--x\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\npolluted\r\n--x--\r\n`
    const [type, body] = random.pick([
      ['application/x-www-form-urlencoded', new URLSearchParams({ query: query.toWellFormed(), variables: '{}' }).toString()],
      ['multipart/form-data; boundary=x', part], ['multipart/form-data; boundary=x', part.slice(0, random.below(part.length))], ['multipart/form-data; boundary=', part],
      ['application/graphql', query], ['text/plain', JSON.stringify({ query })],
    ] as const)
    return { ...posted(body, { 'content-type': type }), answered: 'http' }
  },
}

const assets = '/graphql/assets/'
const escapes = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '....//', '%252e%252e%252f', '..;/', '/', '//', './', '%00', '..%c0%af', '\u00ff']
const files = ['package.json', 'etc/passwd', 'bin/quire.js', '.quire/library.db', 'index.html', 'index-12345678.js', 'index-12345678.js%00.png', '', '%', '%zz', '%ff', 'con', `${'a'.repeat(3000)}-12345678.js`]

export const paths: HostileClass = {
  name: 'paths and verbs', weight: 4,
  make(random, world) {
    const up = random.pick(escapes).repeat(random.between(1, 8))
    const secret = world.sent.password.text
    const target = random.pick([
      () => `${assets}${up}${random.pick(files)}`, () => `/${up}${random.pick(files)}`, () => `/graphql${random.pick(['/', '//', '/x', '?', '?query', '?query=', '?query=%', '?query=%ff', '?query={', '#', ';x', '%00', '/../graphql', '/./', '?__proto__=x', '?variables=%7B'])}`,
      () => `/${encodeURIComponent(hostileText(random).toWellFormed())}`, () => random.pick(['/metrics', '/ready', '/health', '/numbers', '/docs', '/', '/landing.css', '/favicon.ico', '/METRICS', '/metrics/', '/ready?x', '/health/../metrics']),
      () => `/graphql?password=${secret}`, () => `/docs?token=${secret}&query={x}`, () => `http://user:${secret}@127.0.0.1/graphql`, () => `http://user:${secret}@127.0.0.1/nowhere`, () => `//user:${secret}@x/graphql`, () => '*', () => 'x', () => '?', () => 'http://', () => 'http://[', () => '/\u00e9', () => `/${'a/'.repeat(3000)}`,
    ])()
    const method = random.pick(['GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'LOCK', 'SEARCH', 'PURGE'])
    return { ...asked(method, target, { accept: random.pick(['text/html', 'application/json', '*/*']), ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) }, method === 'POST' ? good : '', 'http'), alone: true, answers: 0, ends: true }
  },
}

const line = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
const inner = 'GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'

const shapes: readonly ((random: Random) => string | Buffer)[] = [
  () => `${line}content-length: ${inner.length}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
  () => `${line}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n5c\r\n${inner}\r\n0\r\n\r\n`,
  (random) => `${line}transfer-encoding: ${random.pick(['xchunked', 'chunked, identity', 'identity', ' chunked', 'chunked\t', '\u000bchunked', 'gzip', 'chunked, chunked', 'x'])}\r\n\r\n${good.length.toString(16)}\r\n${good}\r\n0\r\n\r\n`,
  () => `${line}content-length: 5\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  () => `${line}content-length: ${good.length}\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  () => `${line}Content-Length : ${good.length}\r\n\r\n${good}`,
  () => `${line} content-length: ${good.length}\r\n\r\n${good}`,
  () => `${line}x: y\n\ncontent-length: ${good.length}\r\n\r\n${good}`,
  () => `${line}x: a\r\n b\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  () => `${line}x: a\rb\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  () => `${line}x\u0000: a\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  () => `${line}: empty\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  (random) => `${random.pick(['GET', 'get', 'G\u0000T', '', ' GET', 'GET\t', 'CONNECT', 'PRI', 'X'.repeat(5000)])} ${random.pick(['/graphql', '', '/\u0000', ' /graphql', '/ /', 'example.org:80'])} HTTP/${random.pick(['1.1', '1.0', '0.9', '2.0', '9.9', '1.1.1', 'x', ''])}\r\nhost: x\r\n\r\n`,
  (random) => random.bytes(random.between(1, 2000)),
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => Buffer.from('160301020001000001fc0303', 'hex'),
  () => 'GET /graphql HTTP/1.1\r\n\r\n',
  () => 'GET /graphql HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  () => `${line}expect: 100-continue\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  () => `${line}expect: x\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  () => `${line}upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: x\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  () => `GET /graphql HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: x\r\n\r\n`,
  () => inner.repeat(50),
  () => '\r\n\r\n\r\n\r\nGET /health HTTP/1.1\r\nhost: x\r\n\r\n',
  (random) => `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(random.pick([100, 3000]))}\r\n`,
  (random) => `GET /${'x'.repeat(random.pick([1000, 20_000, 100_000]))} HTTP/1.1\r\nhost: x\r\n\r\n`,
]

export const smuggling: HostileClass = {
  name: 'smuggling', weight: 3,
  make: (random): Hostile => raw(random.pick(shapes)(random)),
}
