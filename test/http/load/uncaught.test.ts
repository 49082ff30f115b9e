// Uncaught errors: one of a request affects only that request, any other shuts the process down in order.

import { expect, test, vi } from 'vitest'
import { ask } from './zoo.ts'
import { startZoo } from './process.ts'

const sdl = 'type Cage @document(container: "cages") { id: ID! name: String! } extend type Query { wait: String timer: String letGo: String }'

const resolvers = `
  const { promise, resolve } = Promise.withResolvers()
  process.on('SIGUSR2', () => setTimeout(() => { setTimeout(resolve, 200); throw new Error('of nobody') }))
  export const resolvers = { Query: {
    wait: async () => { console.log('waiting'); await promise; return 'answered' },
    timer: () => new Promise(() => setTimeout(() => { throw new Error('in a timer') })),
    letGo: () => { void Promise.reject(new Error('let go of')); return 'answered' },
  } }`

const strays = (log: readonly { readonly msg: string }[]) => log.filter(({ msg }) => msg.includes('Uncaught error'))

test('a resolver that throws in a timer is logged with its request id, the request is answered, and other requests are not affected', async () => {
  const zoo = await startZoo(sdl, resolvers, { QUIRE_DEADLINE_MS: '2000' })
  const [thrown, ...others] = await Promise.all([ask(zoo.port, '{ timer }', { 'x-request-id': 'the-one' }), ...Array.from({ length: 20 }, () => ask(zoo.port, '{ cages { totalCount } }'))])
  expect(thrown).toMatchObject({ status: 504, body: { errors: [{ extensions: { code: 'DEADLINE_EXCEEDED' } }] } })
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
  expect(await ask(zoo.port, '{ letGo }', { 'x-request-id': 'another' })).toMatchObject({ status: 200, body: { data: { letGo: 'answered' } } })
  await vi.waitFor(() => expect(strays(zoo.log)).toMatchObject([
    { level: 'error', requestId: 'the-one', err: { message: 'in a timer' } },
    { level: 'error', requestId: 'another', err: { message: 'let go of' } },
  ]), { timeout: 5000 })
  zoo.child.kill('SIGTERM')
  expect(await zoo.ended()).toBe(0)
})

test('after an error that belongs to no request, running requests are answered and the process exits with 1', async () => {
  const zoo = await startZoo(sdl, resolvers)
  const waiting = ask(zoo.port, '{ wait }')
  await zoo.says('waiting')
  zoo.child.kill('SIGUSR2')
  expect(await waiting).toMatchObject({ status: 200, body: { data: { wait: 'answered' } } })
  expect(await zoo.ended()).toBe(1)
  expect(strays(zoo.log)).toMatchObject([{ level: 'error', err: { message: 'of nobody' } }])
})
