// The rate limit: RU per minute for each viewer or network address, on the fast path and in Yoga.

import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { callerOf } from '../../../src/http/limits/caller.ts'
import { RateLimit } from '../../../src/http/limits/rate-limit.ts'
import { requestState, type IncomingRequest } from '../../../src/auth/request-state.ts'
import fc from '../../fast-check.ts'
import { oneWave, openZoo, rename, ways } from './zoo.ts'

/** Lets the first operation run, and the next only hours later. */
const tinyRate = 0.001

describe.each(ways)('on $way', ({ headers }) => {
  test('a caller beyond the limit is refused with Retry-After', async () => {
    const zoo = await openZoo({ load: { chargePerMinute: tinyRate } })
    expect((await zoo.ask(oneWave, headers)).status).toBe(200)
    const refused = await zoo.ask(oneWave, headers)
    expect(refused).toMatchObject({ status: 429, body: { errors: [{ message: expect.stringContaining('0.001 RU per minute') as string, extensions: { code: 'RATE_LIMITED' } }] } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('a mutation that is refused is not made', async () => {
    const zoo = await openZoo({ load: { chargePerMinute: tinyRate } })
    expect((await zoo.ask(rename.replace('New', 'First'), headers)).status).toBe(200)
    expect((await zoo.ask(rename, headers)).status).toBe(429)
    expect((await zoo.store.readMany('cages', [{ partition: ['c1'], id: 'c1' }]))[0]!.body['name']).toBe('First')
  })
})

test('X-Forwarded-For tells callers apart only as far as trusted proxies wrote it', async () => {
  const trusting = await openZoo({ load: { chargePerMinute: tinyRate, proxies: 1 } })
  const statusFrom = async (address: string) => (await trusting.ask(oneWave, { 'x-forwarded-for': address })).status
  expect([await statusFrom('10.0.0.1'), await statusFrom('10.0.0.2'), await statusFrom('10.0.0.1'), await statusFrom('10.0.0.9, 10.0.0.2')]).toEqual([200, 200, 429, 429])
  const wary = await openZoo({ load: { chargePerMinute: tinyRate } })
  expect([(await wary.ask(oneWave, { 'x-forwarded-for': '10.0.0.1' })).status, (await wary.ask(oneWave, { 'x-forwarded-for': '10.0.0.2' })).status]).toEqual([200, 429])
})

const request = (headers: Record<string, string> = {}): IncomingRequest => ({ method: 'POST', url: 'http://quire/graphql', headers: new Headers(headers) })
const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage

describe('a caller', () => {
  test('is the viewer of a tenant, whatever the address', () => {
    const [one, same, other] = [request(), request(), request()]
    requestState(one).viewer = { id: 'v', tenant: 'a', roles: new Set() }
    requestState(same).viewer = { id: 'v', tenant: 'a', roles: new Set(['admin']) }
    requestState(other).viewer = { id: 'v', tenant: 'b', roles: new Set() }
    expect(callerOf(one, from('10.0.0.1'), 0)).toBe(callerOf(same, from('10.0.0.2'), 0))
    expect(callerOf(other, from('10.0.0.1'), 0)).not.toBe(callerOf(one, from('10.0.0.1'), 0))
  })

  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:bbbb:cccc:dddd:eeee', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001::', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('at %s is %s', (address, caller) => {
    expect(callerOf(request(), from(address), 0)).toBe(caller)
  })

  test.each([
    ['10.0.0.1:5123', 1, '10.0.0.1'],
    ['[2001:db8::1]:443', 1, '2001:db8:0:0::/64'],
    ['made up, 10.0.0.1, 10.0.0.2', 2, '10.0.0.1'],
    ['10.0.0.1', 2, '192.0.2.1'],
    ['', 1, '192.0.2.1'],
  ])('with X-Forwarded-For %j and %d proxies is %s', (forwarded, proxies, caller) => {
    expect(callerOf(request({ 'x-forwarded-for': forwarded }), from('192.0.2.1'), proxies)).toBe(caller)
  })

  test('has a name of bounded length, whatever the header holds', () => {
    fc.assert(fc.property(fc.string().filter((text) => !/[\r\n\0]/.test(text) && /^[\u0020-\u007E]*$/.test(text)), (text) => {
      expect(callerOf(request({ 'x-forwarded-for': text.repeat(20) }), from('192.0.2.1'), 1).length).toBeLessThanOrEqual(64)
    }))
  })
})

describe('a limit', () => {
  test('lets the last operation take the bucket below zero, and then fills it evenly', () => {
    let now = 0
    const limit = new RateLimit({ chargePerMinute: 60, now: () => now })
    expect(limit.take('one', 59)).toBeUndefined()
    expect(limit.take('one', 10)).toBeUndefined()
    expect(limit.take('one', 1)).toBe(9000)
    expect(limit.take('other', 1)).toBeUndefined()
    now = 9000
    expect(limit.take('one', 1)).toBe(1)
    now = 9001
    expect(limit.take('one', 1)).toBeUndefined()
  })

  test('takes what was spent elsewhere, of callers known and unknown', () => {
    const limit = new RateLimit({ chargePerMinute: 60, now: () => 0 })
    limit.take('one', 1)
    limit.spend('one', 60)
    limit.spend('other', 61)
    expect([limit.take('one', 1), limit.take('other', 1)]).toEqual([1000, 1000])
  })

  test('is never exceeded by more than one operation, whatever the sequence', () => {
    fc.assert(fc.property(fc.array(fc.record({ after: fc.nat(20_000), cost: fc.integer({ min: 1, max: 200 }) }), { maxLength: 60 }), (asked) => {
      let now = 0
      let taken = 0
      const limit = new RateLimit({ chargePerMinute: 100, now: () => now })
      for (const { after, cost } of asked) {
        now += after
        const before = taken
        if (limit.take('one', cost) === undefined) {
          taken += cost
          expect(before).toBeLessThan(100 + (now * 100) / 60_000 + 1e-6)
        }
      }
    }))
  })

  test('remembers a limited number of callers', () => {
    const limit = new RateLimit({ chargePerMinute: 1, maxCallers: 100, now: () => 0 })
    for (let caller = 0; caller < 1000; caller++) limit.take(String(caller), 1)
    expect(limit.callers).toBe(100)
  })
})
