// The estimate of the service's clock, with a simulated service: it responds with the whole second of
// its own clock, some time after the request. No real clock is read.

import fc from '../../fast-check.ts'
import { describe, expect, test } from 'vitest'
import { ServiceClock } from '../../../src/store/cosmos/request/service-clock.ts'

/** The allowed difference between machines of the service: no interval is narrower than twice that. */
const skewMs = 500

/** One request: a pause before it is sent, the way to the service, and the way back. */
interface GatewaySwap {
  readonly pauseMs: number
  readonly thereMs: number
  readonly backMs: number
}

class World {
  /** Our clock; the service's is `offset` later. */
  now: number
  offset: number
  readonly clock: ServiceClock

  constructor(now: number, offset: number) {
    this.now = now
    this.offset = offset
    this.clock = new ServiceClock({ now: () => this.now, jumps: 0 })
  }

  hear({ pauseMs, thereMs, backMs }: GatewaySwap): void {
    const sentAt = (this.now += pauseMs)
    const answeredAt = (this.now += thereMs) + this.offset
    this.now += backMs
    this.clock.observe(new Date(answeredAt).toUTCString(), sentAt)
  }

  /** Fast responses from all parts of a second. */
  hearAllThroughASecond(): void {
    for (let part = 0; part < 12; part++) this.hear({ pauseMs: 93, thereMs: 2, backMs: 3 })
  }

  get isRight(): boolean {
    const { earliest, latest } = this.clock.moment
    return earliest <= this.now + this.offset && this.now + this.offset <= latest
  }

  get width(): number {
    const { earliest, latest } = this.clock.moment
    return latest - earliest
  }
}

const beginning = Date.UTC(2030, 0, 1)
const anyOffset = fc.integer({ min: -10 * 60_000, max: 10 * 60_000 })
const anyWorld = fc.tuple(fc.integer({ min: beginning, max: beginning + 100_000 }), anyOffset).map(([now, offset]) => new World(now, offset))
const exchange: fc.Arbitrary<GatewaySwap> = fc.record({
  pauseMs: fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 100_000 })),
  thereMs: fc.integer({ min: 0, max: 3000 }),
  backMs: fc.integer({ min: 0, max: 3000 }),
})
const exchanges = fc.array(exchange, { minLength: 1, maxLength: 60 })

test('with any delays and any difference of the clocks, the service\'s clock is within the interval', () => {
  fc.assert(fc.property(anyWorld, exchanges, fc.integer({ min: 0, max: 100_000 }), (world, all, laterMs) => {
    for (const one of all) {
      world.hear(one)
      expect(world.isRight).toBe(true)
    }
    world.now += laterMs
    expect(world.isRight).toBe(true)
  }), { seed: 7, numRuns: 500 })
})

describe('before the first response', () => {
  test('the interval is our clock plus or minus a minute', () => {
    expect(new World(beginning, 0).clock.moment).toEqual({ earliest: beginning - 60_000, latest: beginning + 60_000 })
  })

  test.each([undefined, '', 'yesterday', 'Tue, 99 Foo 2030 25:61:61 GMT', 'NaN'])('an invalid date (%j) is ignored', (date) => {
    const { clock } = new World(beginning, 0)
    clock.observe(date, beginning - 10)
    expect(clock.moment).toEqual({ earliest: beginning - 60_000, latest: beginning + 60_000 })
  })
})

test('an invalid date does not change the interval', () => {
  const world = new World(beginning, 1234)
  world.hear({ pauseMs: 0, thereMs: 5, backMs: 5 })
  const known = world.clock.moment
  for (const date of [undefined, '', 'yesterday', 'NaN']) world.clock.observe(date, world.now)
  expect(world.clock.moment).toEqual(known)
})

describe('with more responses', () => {
  test('one response leaves a second, the time of the request and the skew of machines', () => {
    const world = new World(beginning, 250)
    world.hear({ pauseMs: 0, thereMs: 30, backMs: 40 })
    expect(world.width).toBe(1000 + 30 + 40 + 2 * skewMs)
  })

  test('responses from all parts of a second leave little more than the skew', () => {
    fc.assert(fc.property(anyWorld, (world) => {
      world.hearAllThroughASecond()
      expect(world.isRight).toBe(true)
      // The largest gap between two responses around the turn of a second, and the duration of each request.
      expect(world.width).toBeLessThanOrEqual(2 * skewMs + 98 + 2 * 5)
    }), { seed: 7, numRuns: 300 })
  })

  test('the interval never gets wider within a minute', () => {
    const quick = fc.record({ pauseMs: fc.integer({ min: 0, max: 900 }), thereMs: fc.integer({ min: 0, max: 50 }), backMs: fc.integer({ min: 0, max: 50 }) })
    // At most 16 responses: beyond that the oldest is dropped, and it may be the one that bounds the interval.
    fc.assert(fc.property(anyWorld, fc.array(quick, { minLength: 2, maxLength: 16 }), (world, all) => {
      let width = Infinity
      for (const one of all) {
        world.hear(one)
        expect(world.width).toBeLessThanOrEqual(width)
        width = world.width
      }
    }), { seed: 7, numRuns: 500 })
  })

  test('responses that do not narrow the interval do not replace those that did', () => {
    const world = new World(beginning, 0)
    world.hearAllThroughASecond()
    const narrow = world.width
    for (let slow = 0; slow < 50; slow++) world.hear({ pauseMs: 100, thereMs: 400, backMs: 400 })
    expect(world.width).toBe(narrow)
  })

  test('responses older than a minute are dropped, since clocks drift', () => {
    const world = new World(beginning, 0)
    world.hearAllThroughASecond()
    const narrow = world.width
    world.hear({ pauseMs: 60_001, thereMs: 300, backMs: 300 })
    expect(world.width).toBe(1000 + 600 + 2 * skewMs)
    expect(world.width).toBeGreaterThan(narrow)
  })
})

describe('when the service\'s clock is set', () => {
  const jump = fc.integer({ min: 4000, max: 30 * 60_000 })
  const quick = { pauseMs: 100, thereMs: 20, backMs: 20 }

  test.each([['back', -1], ['forward', 1]] as const)('%s, the next response counts and earlier ones do not', (_, direction) => {
    fc.assert(fc.property(anyWorld, exchanges, jump, (world, before, byMs) => {
      for (const one of before) world.hear({ ...one, thereMs: one.thereMs % 1000, backMs: one.backMs % 1000 })
      world.offset += direction * byMs
      world.hear(quick)
      expect(world.isRight).toBe(true)
      expect(world.width).toBe(1000 + 40 + 2 * skewMs)
    }), { seed: 7, numRuns: 300 })
  })

  test.each([['back', -1], ['forward', 1]] as const)('%s by any amount, it is within the interval again after responses from all parts of a second', (_, direction) => {
    fc.assert(fc.property(anyWorld, fc.integer({ min: 0, max: 5000 }), (world, byMs) => {
      world.hearAllThroughASecond()
      world.offset += direction * byMs
      world.hearAllThroughASecond()
      expect(world.isRight).toBe(true)
    }), { seed: 7, numRuns: 300 })
  })
})
