// The gate alone: what goes together and what has to wait. Answers come when a test says so, and
// "idle" is when nothing more happens by itself. What travels through the gate is tested with the reads.

import { setImmediate as idle } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { WaveScheduler } from '../../src/read/wave-scheduler.ts'

/** A gate that writes down who went in which wave. */
function recordingGate() {
  const gate = new WaveScheduler()
  const waves: string[][] = []
  const ask = (name: string, then?: () => void) => gate.enter(() => {
    ;(waves[gate.wave - 1] ??= []).push(name)
    then?.()
  })
  /** Asks for a call whose answer the test gives. */
  const call = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const answered = Promise.withResolvers<string>()
    ask(name, () => void gate.hold(promise).then(answered.resolve, answered.reject))
    return { answer: () => resolve(name), fail: () => reject(new Error(name)), answered: answered.promise }
  }
  return { gate, waves, ask, call }
}

async function deep(levels: number): Promise<void> {
  if (levels > 0) await deep(levels - 1)
}

describe('one wave', () => {
  test('is everything that is asked for in the same turn, in the order of asking', async () => {
    const { waves, ask } = recordingGate()
    for (const name of ['a', 'b', 'c']) ask(name)
    await idle()
    expect(waves).toEqual([['a', 'b', 'c']])
  })

  test('does not leave while the turn lasts', () => {
    const { gate, waves, ask } = recordingGate()
    ask('a')
    expect(waves).toEqual([])
    expect(gate.wave).toBe(0)
  })

  test('is also what is asked for at the end of chains of promises, however long', async () => {
    const { waves, ask } = recordingGate()
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

  test('is only what was asked for: asking on the way out is for the next one', async () => {
    const { waves, ask } = recordingGate()
    ask('a', () => ask('b', () => ask('c')))
    ask('d')
    await idle()
    expect(waves).toEqual([['a', 'd'], ['b'], ['c']])
  })
})

describe('the next wave', () => {
  test('waits until the slowest call of the last one is answered', async () => {
    const { waves, call, ask } = recordingGate()
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

  test('has what follows from every answer of the last one, early or late, near or far', async () => {
    const { waves, call, ask } = recordingGate()
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

  test('waits also for a call that began while it gathered', async () => {
    const { gate, waves, ask } = recordingGate()
    const { promise, resolve } = Promise.withResolvers<void>()
    ask('gathered')
    const held = gate.hold(promise)
    await idle()
    expect(waves).toEqual([])
    resolve()
    await held
    await idle()
    expect(waves).toEqual([['gathered']])
  })

  test('does not wait for a call that is answered without anyone asking for more', async () => {
    const { gate, call } = recordingGate()
    const only = call('only')
    await idle()
    only.answer()
    await idle()
    expect(gate.wave).toBe(1)
  })

  test('leaves at once when nothing is under way', async () => {
    const { waves, ask } = recordingGate()
    ask('a')
    await idle()
    ask('b')
    await idle()
    expect(waves).toEqual([['a'], ['b']])
  })
})

describe('waves are counted', () => {
  test('from 1, each when it leaves and for as long as it is the last', async () => {
    const { gate, call } = recordingGate()
    const seen = [gate.wave]
    for (const name of ['first', 'second', 'third']) {
      const one = call(name)
      await idle()
      seen.push(gate.wave)
      one.answer()
      await idle()
      seen.push(gate.wave)
    }
    expect(seen).toEqual([0, 1, 1, 2, 2, 3, 3])
  })
})

describe('a call that fails', () => {
  test('does not hold the next wave back', async () => {
    const { waves, call, ask } = recordingGate()
    const failing = call('failing')
    await idle()
    ask('next')
    failing.fail()
    await expect(failing.answered).rejects.toThrow('failing')
    await idle()
    expect(waves).toEqual([['failing'], ['next']])
  })

  test('does not let the next wave go before the others are answered', async () => {
    const { waves, call, ask } = recordingGate()
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

test('an answer is handed on as it is', async () => {
  const answer = { some: 'answer' }
  await expect(new WaveScheduler().hold(Promise.resolve(answer))).resolves.toBe(answer)
})
