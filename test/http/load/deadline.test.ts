// Deadlines: an operation that takes too long is answered with an error and reads nothing more, but a committed write is never
// reported as failed.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerQuery } from '../../../src/execute/compiled/compiled-query.ts'
import { Plan } from '../../../src/plan/plan.ts'
import { Deadlines } from '../../../src/store/timing/deadlines.ts'
import { DeadlineError, OperationContext, HungUpError } from '../../../src/store/operation-context.ts'
import { StoreUnavailableError } from '../../../src/store/store-errors.ts'
import { oneWave, openZoo, rename, twoWaves, typeDefs, ways } from './zoo.ts'

// Fake timers, so that the tests do not depend on the speed of the machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const deadlineMs = 30_000
const pass = (): unknown => vi.advanceTimersByTime(deadlineMs)

const tooLate = { errors: [{ message: expect.stringContaining('30000 ms') as string, extensions: { code: 'DEADLINE_EXCEEDED' } }] }

/** A rename that waits for the store at one container until its deadline has passed. */
async function renameUntilDeadline(headers: Record<string, string>, container: string) {
  const zoo = await openZoo()
  await zoo.ask(rename.replace('New', 'Old'), headers)
  zoo.pause.begin(container)
  const answering = zoo.ask(rename, headers)
  await zoo.pause.until(1)
  pass()
  return { zoo, answering }
}

describe.each(ways)('on $way', ({ headers }) => {
  test('an operation beyond its deadline is answered with an error, and its next wave is not read', async () => {
    const zoo = await openZoo()
    await zoo.ask(twoWaves, headers)
    zoo.pause.begin('cages')
    zoo.calls.length = 0
    const answering = zoo.ask(twoWaves, headers)
    await zoo.pause.until(1)
    pass()
    expect(await answering).toMatchObject({ status: 504, body: tooLate })
    zoo.pause.release()
    // By the next answer, everything that was running has ended.
    await zoo.ask(oneWave, headers)
    expect(zoo.calls.map(({ container }) => container)).toEqual(['cages', 'cages'])
  })

  test('a resolver that never answers is not waited for', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let called = promise
    let tell = resolve
    const zoo = await openZoo({
      typeDefs: `${typeDefs} extend type Query { never: String }`,
      resolvers: { Query: { never: () => {
        tell()
        return new Promise(() => {})
      } } },
    })
    for (let times = 0; times < 2; times++) {
      const answering = zoo.ask('{ never }', headers)
      await called
      ;({ promise: called, resolve: tell } = Promise.withResolvers<void>())
      pass()
      expect(await answering).toMatchObject({ status: 504, body: tooLate })
    }
  })

  test('a write that would begin after the deadline is not made', async () => {
    const { zoo, answering } = await renameUntilDeadline(headers, 'cages')
    expect(await answering).toMatchObject({ status: 504, body: tooLate })
    zoo.pause.release()
    expect((await zoo.ask(oneWave, headers)).body).toEqual({ data: { cage: { name: 'Old' } } })
  })

  test('a write that began in time is answered, with its selection, however late', async () => {
    const { zoo, answering } = await renameUntilDeadline(headers, 'keepers')
    zoo.pause.release()
    expect(await answering).toMatchObject({ status: 200, body: { data: { updateCage: { cage: { name: 'New', keeper: { name: 'Kim' } } } } } })
  })

  test('if the selection of a written document cannot be read, the error says that it was written', async () => {
    const { zoo, answering } = await renameUntilDeadline(headers, 'keepers')
    pass()
    expect(await answering).toMatchObject({
      status: 504, body: { errors: [{ message: expect.stringMatching(/written.*60000 ms/) as string, extensions: { code: 'DEADLINE_EXCEEDED' } }] },
    })
    expect((await zoo.ask(oneWave, headers)).body).toEqual({ data: { cage: { name: 'New' } } })
  })

  test('nothing more is read after the client disconnects', async () => {
    const zoo = await openZoo()
    await zoo.ask(twoWaves, headers)
    zoo.pause.begin('cages')
    zoo.calls.length = 0
    const arrived = once(zoo.server, 'connection') as Promise<[Socket]>
    const socket = connect(zoo.port, '127.0.0.1')
    const body = JSON.stringify({ query: twoWaves })
    const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: application/json\r\n${more}content-length: ${body.length}\r\n\r\n${body}`)
    const [[accepted]] = await Promise.all([arrived, zoo.pause.until(1)])
    const closed = once(accepted, 'close')
    socket.destroy()
    await closed
    zoo.pause.release()
    await zoo.ask(oneWave, headers)
    expect(zoo.calls.map(({ container }) => container)).toEqual(['cages', 'cages'])
  })
})

test.each([new DeadlineError(1, false), new HungUpError(), new StoreUnavailableError()])('%s does not mark a compiled plan as broken', async (error) => {
  const run = async () => {
    throw error
  }
  const planned = { plan: new Plan(new Map()), recorded: [], refusal: undefined, argumentRefusal: undefined, custom: false, gaveUp: 0, run }
  expect(await answerQuery({ planned, run, variables: {} }, {} as never, undefined)).toBeUndefined()
  expect(planned.gaveUp).toBe(0)
})

const never = (): Promise<never> => new Promise(() => {})

describe('an operation context', () => {
  test('beyond its deadline refuses to begin anything', async () => {
    const operationContext = new OperationContext({ id: 'r1', deadlines: new Deadlines(deadlineMs) })
    const running = operationContext.run(never).catch((error: unknown) => error)
    pass()
    expect(await running).toMatchObject({ name: 'DeadlineError' })
    expect(() => operationContext.check()).toThrow(DeadlineError)
    expect(() => operationContext.beginWrite()).toThrow(DeadlineError)
    await expect(operationContext.run(async () => 1)).rejects.toThrow(DeadlineError)
  })

  test('does not expire during a write, but does after a write that failed', async () => {
    const operationContext = new OperationContext({ id: 'r1', deadlines: new Deadlines(deadlineMs) })
    operationContext.beginWrite()
    const running = operationContext.run(never).catch((error: unknown) => error)
    pass()
    pass()
    expect(() => operationContext.check()).not.toThrow()
    expect(operationContext.remainingMs).toBe(Infinity)
    operationContext.endWrite(false)
    expect(await running).toMatchObject({ name: 'DeadlineError' })
  })

  test('that has written refuses another write after the deadline', () => {
    const operationContext = new OperationContext({ id: 'r1', deadlines: new Deadlines(deadlineMs) })
    void operationContext.run(never).catch(() => undefined)
    operationContext.beginWrite()
    operationContext.endWrite(true)
    expect(() => operationContext.beginWrite()).not.toThrow()
    pass()
    expect(() => operationContext.check()).not.toThrow()
    expect(() => operationContext.beginWrite()).toThrow(DeadlineError)
  })
})
