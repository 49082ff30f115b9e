// The pages: landing page, GraphiQL's files and the totals, and what production hides. docs.test.ts has the documentation.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { StoredState } from '../../src/observe/stored-state.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'

const typeDefs = `
  type Cage @document(container: "cages", partitionKey: "/wing") { id: ID! wing: String! beasts: [Beast!]! @snapshot(at: "beasts", fields: ["name"]) }
  type Beast @document(container: "beasts") { id: ID! name: String! cage: Cage @reference(at: "cageId") marks: [Mark!]! @contained(max: 3) }
  type Mark { place: String! }
`

let built: string
beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), 'quire-pages-'))
  mkdirSync(join(built, 'assets'))
  writeFileSync(join(built, 'index.html'), '<!doctype html><title>Quire</title><!-- page data -->')
  writeFileSync(join(built, 'stamp'), 'secret')
  writeFileSync(join(built, 'assets/main-Ab12_-9z.js'), 'as it is')
  writeFileSync(join(built, 'assets/main-Ab12_-9z.js.br'), 'as Brotli')
  writeFileSync(join(built, 'assets/main-Ab12_-9z.js.gz'), 'as gzip')
  writeFileSync(join(built, 'assets/small-Ab12_-9z.js.gz'), gzipSync('unpacked'))
  writeFileSync(join(built, 'assets/plain.js'), 'a name without a hash')
})
afterAll(() => rmSync(built, { recursive: true }))

async function open(options: Partial<GatewayOptions> = {}): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const gateway: Gateway = await createGateway({ typeDefs, store: openMemoryStore, builtPages: built, ...options })
  return async (path, init = {}) => gateway.fetch(`http://quire${path}`, init)
}

const page = { headers: { accept: 'text/html' } }

async function ask(get: Awaited<ReturnType<typeof open>>, query: string, headers: Record<string, string> = {}): Promise<void> {
  await (await get('/graphql', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) })).text()
}

describe('in development', () => {
  test('what the stored documents lack, and why a schema is not served, is on the landing page, in the totals and in the metrics', async () => {
    const storedState = new StoredState()
    const get = await open({ development: true, storedState })
    const text = async (path: string): Promise<string> => (await get(path)).text()
    const before = await text('/')
    expect(before).not.toContain('stored-title')
    expect(await text('/metrics')).toMatch(/^quire_catch_up_documents\{state="left"\} 0$/m)
    storedState.catchUp = { documents: 30, total: 100 }
    storedState.differences = ['Cage has documents with container "cages" & <more>.']
    expect(await text('/')).toMatch(/Cage has documents with container .*cages.* &#38; &#60;more&#62;\.[\s\S]*quire migrate[\s\S]*>30<[\s\S]*>100</)
    expect(await (await get('/numbers')).json()).toMatchObject({ catchUp: { documents: 30, total: 100 }, differences: [expect.any(String)] })
    expect(await text('/metrics')).toMatch(/^quire_catch_up_documents\{state="done"\} 30\nquire_catch_up_documents\{state="left"\} 70$/m)
    // In production they are for operators.
    expect(await (await (await open({ storedState }))('/')).text()).not.toContain('stored-title')
    storedState.catchUp = undefined
    storedState.differences = []
    expect(await text('/')).toBe(before)
  })

  test('the landing page leads to GraphiQL and draws every type', async () => {
    const landing = await (await (await open({ development: true }))('/')).text()
    expect(landing).toContain('href="/graphql"')
    for (const type of ['Cage', 'Beast']) expect(landing).toContain(`data-type="${type}"`)
    expect(landing).toContain('data-numbers="/numbers"')
  })

  test('GraphiQL is at the address of the API, for clients that accept HTML', async () => {
    const get = await open({ development: true })
    for (const path of ['/graphql', '/graphql/', '/graphql?query=%7B__typename%7D']) expect(await (await get(path, page)).text()).toContain('<title>Quire</title>')
    expect(await (await get('/graphql?query=%7B__typename%7D')).json()).toMatchObject({ data: { __typename: 'Query' } })
  })

  test('GraphiQL gets the examples', async () => {
    const get = await open({ development: true, examples: [{ title: 'Odd', text: '{ cages { totalCount } } # </script><b>' }] })
    const text = await (await get('/graphql', page)).text()
    const data = /<script type="application\/json" id="quire-page">(.*)<\/script>$/.exec(text)?.[1] ?? ''
    expect(data).not.toContain('</script>')
    expect(JSON.parse(data)).toEqual({ examples: [{ title: 'Odd', text: '{ cages { totalCount } } # </script><b>' }], naive: false })
  })

  test('without built pages everything works but GraphiQL, which says how to build it', async () => {
    const get = await open({ development: true, builtPages: join(built, 'nowhere') })
    const response = await get('/graphql', page)
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm run pages')
    expect((await get('/')).status).toBe(200)
    expect((await get('/graphql?query={__typename}')).status).toBe(200)
  })

  test('pages can be hidden, too', async () => {
    const get = await open({ development: true, openPages: false })
    expect((await get('/numbers')).status).toBe(404)
    expect(await (await get('/')).text()).not.toContain('data-type')
  })
})

describe('in production', () => {
  test('the landing page says what it hides, and hides it', async () => {
    const get = await open()
    const landing = await (await get('/')).text()
    expect(landing).toContain('QUIRE_PAGES=open')
    for (const hidden of ['href="/graphql"', 'data-type', 'Cage', 'cages', 'data-numbers']) expect(landing).not.toContain(hidden)
    expect((await get('/numbers')).status).toBe(404)
  })

  test('there is no GraphiQL, and none of its files', async () => {
    const get = await open()
    expect(await (await get('/graphql', page)).text()).not.toContain('<')
    expect((await get('/graphql/assets/main-Ab12_-9z.js')).status).toBe(404)
  })

  test('the operator can open the map and the totals', async () => {
    const get = await open({ openPages: true })
    expect(await (await get('/')).text()).toContain('data-type="Cage"')
    expect((await get('/numbers')).status).toBe(200)
  })
})

describe('/numbers', () => {
  test('counts every answer, and the savings of those with a cost report', async () => {
    const get = await open({ openPages: true })
    await ask(get, '{ cages { nodes { beasts { name } } } }', { 'quire-trace': '1' })
    await ask(get, '{ cages { totalCount } }')
    await ask(get, '{ nothing }')
    const response = await get('/numbers')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      since: expect.stringMatching(/^\d{4}-/) as string, requests: 3, failed: 1, traced: 1, estimated: true, copies: { boundMs: 0 }, caches: { kilobytes: expect.any(Number) as number }, catchUp: null, differences: [],
      made: { roundTrips: 1, requestCharge: 2.5 }, naive: { roundTrips: 1, requestCharge: 2.5 }, saved: { roundTrips: 0, requestCharge: 0 },
    })
  })

  test('has the memory of caches', async () => {
    const get = await open({ openPages: true })
    const kilobytes = async () => ((await (await get('/numbers')).json()) as { caches: { kilobytes: number } }).caches.kilobytes
    expect(await kilobytes()).toBe(0)
    for (let time = 0; time < 2; time++) await ask(get, '{ cages { totalCount } }')
    expect(await kilobytes()).toBeGreaterThan(0)
  })

  test('has the max age of snapshots', async () => {
    const get = await open({ openPages: true, freshness: () => ({ boundMs: 1234, watermark: 0 }) })
    expect(await (await get('/numbers')).json()).toMatchObject({ copies: { boundMs: 1234 } })
  })
})

describe('every page', () => {
  test.each(['/', '/docs', '/graphql'])('%s loads nothing from elsewhere, runs no inline scripts, and cannot be framed', async (path) => {
    const { headers } = await (await open({ development: true }))(path, page)
    const policy = headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]))
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('has no inline styles, except GraphiQL', async () => {
    const get = await open({ development: true })
    const styles = async (path: string) => (await get(path, page)).headers.get('content-security-policy')!.split('; ').find((rule) => rule.startsWith('style-src'))
    expect(await styles('/')).toBe("style-src 'self'")
    expect(await styles('/graphql')).toBe("style-src 'self' 'unsafe-inline'")
  })

  test('links to immutable style sheets and scripts, and has none inline', async () => {
    const get = await open()
    const landing = await (await get('/')).text()
    expect(landing).not.toMatch(/<style|style="|<script(?![^>]* src=)|\son\w+=/)
    for (const [, path] of landing.matchAll(/(?:href|src)="(\/landing[^"]+)"/g)) {
      const response = await get(path!)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test('is compressed in the encoding that the browser prefers', async () => {
    const get = await open()
    const plain = await (await get('/')).text()
    const encoded = async (accepted: string) => {
      const response = await get('/', { headers: { 'accept-encoding': accepted } })
      return { encoding: response.headers.get('content-encoding'), vary: response.headers.get('vary'), bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const brotli = await encoded('gzip, deflate, br')
    expect({ ...brotli, bytes: brotliDecompressSync(brotli.bytes).toString() }).toEqual({ encoding: 'br', vary: 'accept-encoding', bytes: plain })
    const gzip = await encoded('br;q=0, gzip')
    expect({ ...gzip, bytes: gunzipSync(gzip.bytes).toString() }).toEqual({ encoding: 'gzip', vary: 'accept-encoding', bytes: plain })
    expect(await encoded('')).toEqual({ encoding: null, vary: 'accept-encoding', bytes: Buffer.from(plain) })
  })

  test('answers HEAD with its length', async () => {
    const get = await open()
    const response = await get('/', { method: 'HEAD' })
    expect(await response.text()).toBe('')
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(await (await get('/')).text()))
  })
})

describe('built files', () => {
  test.each(['br, gzip', 'gzip', 'identity'])('that are kept only gzipped, as in the package, are unpacked for those who need it: %s', async (accepted) => {
    const response = await (await open({ development: true }))('/graphql/assets/small-Ab12_-9z.js', { headers: { 'accept-encoding': accepted } })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get('content-encoding')).toBe(accepted === 'identity' ? null : 'gzip')
    expect((accepted === 'identity' ? bytes : gunzipSync(bytes)).toString()).toBe('unpacked')
  })

  test.each([['br, gzip', 'br', 'as Brotli'], ['gzip', 'gzip', 'as gzip'], ['identity', null, 'as it is']])('accept-encoding %s gets %s', async (accepted, encoding, text) => {
    const response = await (await open({ development: true }))('/graphql/assets/main-Ab12_-9z.js', { headers: { 'accept-encoding': accepted } })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(text)
  })

  test.each([
    '../stamp', '..%2fstamp', '%2e%2e/stamp', '%2e%2e%2fstamp', '..%5cstamp', '....//stamp', './/../stamp', '../index.html', '%2e%2e%2findex.html',
    '.', '', '/', '//etc/passwd', '%2fetc%2fpasswd', 'plain.js', 'main-Ab12_-9z.js.br', 'main-Ab12_-9z.js%00', 'main-Ab12_-9z.js/', 'main-00000000.js',
    '..%2fassets%2fmain-Ab12_-9z.js', 'constructor', '__proto__', '../../package.json', '..%2f..%2f..%2fpackage.json',
  ])('%j is not one of them', async (name) => {
    const response = await (await open({ development: true }))(`/graphql/assets/${name}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ errors: [{ message: expect.any(String), extensions: { code: 'NOT_FOUND' } }] })
  })
})
