// The wave scheduler alone: which calls are sent together and which have to wait. A test decides when a call is
// answered, and "idle" is when nothing more happens by itself. The reads themselves are in reads.test.ts.

import { setImmediate as idle } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { allRead, whenRead } from '../../src/store/maybe-promise.ts'
import { WaveScheduler } from '../../src/read/wave-scheduler.ts'

/** A scheduler that records which call was sent in which wave. */
function recordingScheduler() {
  const scheduler = new WaveScheduler()
  const waves: string[][] = []
  const sent = (name: string): void => void (waves[scheduler.wave - 1] ??= []).push(name)
  /** Asks for a call that is answered at once. */
  const ask = (name: string, then?: () => void) => void scheduler.send(() => {
    sent(name)
    then?.()
  })
  /** Asks for a call whose answer the test gives. */
  const call = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const answered = scheduler.send(() => {
      sent(name)
      return promise
    })
    return { answer: () => resolve(name), fail: () => reject(new Error(name)), answered: new Promise<string>((known, failed) => void answered.then(known, failed)) }
  }
  return { scheduler, waves, ask, call }
}

async function deep(levels: number): Promise<void> {
  if (levels > 0) await deep(levels - 1)
}

describe('one wave', () => {
  test('has everything that is scheduled in the same turn, in that order', async () => {
    const { waves, ask } = recordingScheduler()
    for (const name of ['a', 'b', 'c']) ask(name)
    await idle()
    expect(waves).toEqual([['a', 'b', 'c']])
  })

  test('is not sent before the turn ends', () => {
    const { scheduler, waves, ask } = recordingScheduler()
    ask('a')
    expect(waves).toEqual([])
    expect(scheduler.wave).toBe(0)
  })

  test('includes what is scheduled at the end of promise chains of any length', async () => {
    const { waves, ask } = recordingScheduler()
    ask('at once')
    await Promise.all([
      Promise.resolve().then(() => ask('after one')),
      deep(1).then(() => ask('after two')),
      deep(100).then(() => ask('after a hundred')),
      Promise.all([deep(3), deep(7)]).then(() => ask('after all of several')),
    ])
    queueMicrotask(() => queueMicrotask(() => ask('after two microtasks')))
    await idle()
    expect(waves).toHaveLength(1)
    expect(waves[0]).toHaveLength(6)
  })

  test('does not include what is scheduled while it is being sent', async () => {
    const { waves, ask } = recordingScheduler()
    ask('a', () => ask('b', () => ask('c')))
    ask('d')
    await idle()
    expect(waves).toEqual([['a', 'd'], ['b'], ['c']])
  })
})

describe('the next wave', () => {
  test('waits for the slowest call of the last one', async () => {
    const { waves, call, ask } = recordingScheduler()
    const [fast, slow, slowest] = [call('fast'), call('slow'), call('slowest')]
    await idle()
    ask('early')
    fast.answer()
    await idle()
    ask('later')
    slow.answer()
    await idle()
    expect(waves).toEqual([['fast', 'slow', 'slowest']])
    slowest.answer()
    await idle()
    expect(waves).toEqual([['fast', 'slow', 'slowest'], ['early', 'later']])
  })

  test('has what follows from every answer of the last one, early or late', async () => {
    const { waves, call, ask } = recordingScheduler()
    const [fast, slow] = [call('fast'), call('slow')]
    void fast.answered.then(() => ask('from the fast answer'))
    void slow.answered.then(() => deep(20)).then(() => ask('from the slow answer, much further down'))
    await idle()
    fast.answer()
    await idle()
    slow.answer()
    await idle()
    expect(waves).toEqual([['fast', 'slow'], ['from the fast answer', 'from the slow answer, much further down']])
  })

  test('is not needed after a call whose answer leads to no more reads', async () => {
    const { scheduler, call } = recordingScheduler()
    const only = call('only')
    await idle()
    only.answer()
    await idle()
    expect(scheduler.wave).toBe(1)
  })

  test('is sent at once when no call is under way', async () => {
    const { waves, ask } = recordingScheduler()
    ask('a')
    await idle()
    ask('b')
    await idle()
    expect(waves).toEqual([['a'], ['b']])
  })
})

describe('waves are counted', () => {
  test('from 1, when they are sent', async () => {
    const { scheduler, call } = recordingScheduler()
    const seen = [scheduler.wave]
    for (const name of ['first', 'second', 'third']) {
      const one = call(name)
      await idle()
      seen.push(scheduler.wave)
      one.answer()
      await idle()
      seen.push(scheduler.wave)
    }
    expect(seen).toEqual([0, 1, 1, 2, 2, 3, 3])
  })
})

describe('a call that fails', () => {
  test('does not delay the next wave', async () => {
    const { waves, call, ask } = recordingScheduler()
    const failing = call('failing')
    await idle()
    ask('next')
    failing.fail()
    await expect(failing.answered).rejects.toThrow('failing')
    await idle()
    expect(waves).toEqual([['failing'], ['next']])
  })

  test('does not send the next wave before the others are answered', async () => {
    const { waves, call, ask } = recordingScheduler()
    const [failing, other] = [call('failing'), call('other')]
    await idle()
    ask('next')
    failing.fail()
    await expect(failing.answered).rejects.toThrow('failing')
    await idle()
    expect(waves).toEqual([['failing', 'other']])
    other.answer()
    await expect(other.answered).resolves.toBe('other')
    await idle()
    expect(waves).toEqual([['failing', 'other'], ['next']])
  })
})

describe('code that asks for all it can before it returns', () => {
  test('runs without a promise where calls are answered at once, wave after wave', () => {
    const { scheduler, waves } = recordingScheduler()
    const ask = (name: string) => scheduler.send(() => {
      ;(waves[scheduler.wave - 1] ??= []).push(name)
      return name
    })
    const answer = scheduler.run(() => whenRead(allRead(2, (at) => ask(['a', 'b'][at]!)), (first) => whenRead(ask('c'), (last) => [...first, last])))
    expect(answer).toEqual(['a', 'b', 'c'])
    expect(waves).toEqual([['a', 'b'], ['c']])
  })

  test('has its first wave sent at once, and the others when the last one is answered', async () => {
    const { scheduler, waves, call } = recordingScheduler()
    const [calls, answer]: [ReturnType<typeof call>[], Promise<unknown>] = [[], Promise.resolve()]
    const running = scheduler.run(() => {
      calls.push(call('a'), call('b'))
      return scheduler.send(() => answer)
    })
    expect(waves).toEqual([['a', 'b']])
    for (const { answer: give } of calls) give()
    await running
  })

  test('waits for the microtask queue where a promise may lead to more reads', async () => {
    const { scheduler, waves, ask } = recordingScheduler()
    const running = scheduler.run(async () => {
      ask('a')
      await deep(5)
      ask('b')
    })
    await running
    await idle()
    expect(waves).toEqual([['a', 'b']])
  })

  test('that throws, or whose call fails, fails at once', () => {
    const { scheduler } = recordingScheduler()
    expect(() => scheduler.run(() => { throw new Error('Of the code.') })).toThrow('Of the code.')
    expect(() => scheduler.run(() => scheduler.send(() => { throw new Error('Of the call.') }))).toThrow('Of the call.')
  })
})

test('an answer is passed on unchanged', () => {
  const answer = { some: 'answer' }
  const scheduler = new WaveScheduler()
  expect(scheduler.run(() => scheduler.send(() => answer))).toBe(answer)
})
