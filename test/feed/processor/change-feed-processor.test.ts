// The change feed processor that programs with the SDK of Cosmos DB use without the rest of Quire.

import { describe, expect, test } from 'vitest'
import { createChangeFeedProcessor, SetupError, type ChangeFeedProcessorOptions } from '../../../src/entries/cosmos-change-feed.ts'
import { idsOf, openWorld, songs } from './world.ts'

const ids = (count: number): string[] => songs(count).map(({ id }) => id).toSorted()

describe('one instance', () => {
  test('is told every change once, and the changes of a partition key in order', async () => {
    const world = await openWorld()
    await world.write(...songs(20))
    const instance = world.instance({ maxItemCount: 3 })
    await instance.start()
    await expect.poll(() => idsOf(instance)).toEqual(ids(20))
    await world.write(...Array.from({ length: 10 }, (_, plays) => ({ id: `n${plays}`, album: 'a1', plays })))
    await expect.poll(() => instance.told.filter(({ song }) => song.id.startsWith('n')).map(({ song }) => song.plays)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(instance.told).toHaveLength(30)
    expect(instance.errors).toEqual([])
  })

  test('continues after a restart where it stopped', async () => {
    const world = await openWorld()
    const first = world.instance()
    await first.start()
    await world.write(...songs(5))
    await expect.poll(() => idsOf(first)).toEqual(ids(5))
    await first.stop()
    await world.write({ id: 'later', album: 'a', plays: 0 })
    const second = world.instance()
    await second.start()
    await expect.poll(() => idsOf(second)).toEqual(['later'])
    expect(second.told[0]!.epoch).toBeGreaterThan(first.told[0]!.epoch)
  })

  test('finishes and checkpoints what it is handling when it stops', async () => {
    const world = await openWorld({ partitions: 1 })
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = world.instance({ onChanges: () => { begun.resolve(); return release.promise } })
    await world.write(...songs(3))
    await first.start()
    await begun.promise
    const stopped = first.stop()
    release.resolve()
    await stopped
    expect(idsOf(first)).toEqual(ids(3))
    const second = world.instance()
    await second.start()
    await world.write({ id: 'later', album: 'a', plays: 0 })
    await expect.poll(() => idsOf(second)).toEqual(['later'])
  })

  test('starts now, at a time or at the beginning', async () => {
    const world = await openWorld()
    await world.write(...songs(4))
    const instances = [world.instance({ processorName: 'now', startFrom: 'now' }), world.instance({ processorName: 'time', startFrom: new Date(Date.now() - 3_600_000) }), world.instance({ processorName: 'tomorrow', startFrom: new Date(Date.now() + 86_400_000) }), world.instance({ processorName: 'beginning' })]
    for (const instance of instances) await instance.start()
    await world.write({ id: 'new', album: 'b', plays: 0 })
    await expect.poll(() => instances.map((instance) => idsOf(instance))).toEqual([['new'], ['new', ...ids(4)], [], ['new', ...ids(4)]])
  })

  test('delivers changes again when the handler fails, in order, and reports the error', async () => {
    const world = await openWorld({ partitions: 1 })
    const attempts: number[] = []
    const instance = world.instance({
      maxItemCount: 2,
      onChanges(_, { attempt }) {
        attempts.push(attempt)
        if (attempt < 3) throw new Error('not now')
      },
    })
    await world.write(...songs(4))
    await instance.start()
    await expect.poll(() => instance.told.map(({ song }) => song.id)).toEqual(['s0', 's1', 's2', 's3'])
    expect(attempts).toEqual([1, 2, 3, 1, 2, 3])
    expect(instance.errors).toEqual(Array.from({ length: 4 }, () => new Error('not now')))
  })

  test('goes on when the service throttles, times out or is gone for a while, and misses nothing', async () => {
    const world = await openWorld()
    await world.write(...songs(40))
    Object.assign(world.server.faults, { seed: 7, throttle: 0.1, timeout: 0.05, gone: 0.05, unavailable: 0.05 })
    const instance = world.instance({ maxItemCount: 2 })
    for (;;) {
      try {
        await instance.start()
        break
      } catch (error) {
        expect([408, 410, 429, 503]).toContain((error as { code?: unknown }).code)
      }
    }
    await expect.poll(() => [...new Set(idsOf(instance))]).toEqual(ids(40))
    expect(instance.errors.length).toBeGreaterThan(0)
  })

  test('writes nothing but its leases at rest, and those only as often as they need it', async () => {
    const world = await openWorld()
    const instance = world.instance({ leaseDurationMs: 60_000 })
    await instance.start()
    await world.write(...songs(8))
    await expect.poll(() => idsOf(instance)).toEqual(ids(8))
    world.server.clearLog()
    await expect.poll(() => world.server.log.filter(({ operation }) => operation === 'changes').length).toBeGreaterThan(40)
    expect(world.server.log.filter(({ operation }) => operation !== 'changes')).toEqual([])
  })
})

describe('several instances', () => {
  test('share the ranges, and each change reaches one of them', async () => {
    const world = await openWorld({ partitions: 6 })
    const [first, second] = [world.instance({ instanceName: 'first' }), world.instance({ instanceName: 'second' })]
    await first.start()
    await second.start()
    const owners = async () => (await first.estimateLag()).map(({ owner = 'none' }) => owner.split('-')[0]!).toSorted()
    await expect.poll(owners).toEqual(['first', 'first', 'first', 'second', 'second', 'second'])
    await world.write(...songs(60))
    await expect.poll(() => idsOf(first, second)).toEqual(ids(60))
    expect(first.told.length).toBeGreaterThan(0)
    expect(second.told.length).toBeGreaterThan(0)
    await second.stop()
    await expect.poll(owners).toEqual(Array.from({ length: 6 }, () => 'first'))
  })

  test('take over from one that is cut off: what it had not checkpointed is delivered again, and it can checkpoint nothing more', async () => {
    const world = await openWorld({ partitions: 1 })
    const [begun, lost, stuck] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = world.instance({
      onChanges(_, { signal }) {
        begun.resolve()
        signal.addEventListener('abort', () => lost.resolve())
        return stuck.promise
      },
    })
    await world.write(...songs(10))
    await first.start()
    await begun.promise
    first.disconnect()
    const second = world.instance()
    await second.start()
    await expect.poll(() => idsOf(second)).toEqual(ids(10))
    await lost.promise
    stuck.resolve()
    const before = await checkpoints(world.leases)
    await first.stop()
    expect(await checkpoints(world.leases)).toEqual(before)
    // All of them were handed out twice: the first did not get to say that it had handled them.
    expect(idsOf(first)).toEqual(ids(10))
    for (const { epoch } of second.told) expect(epoch).toBeGreaterThan(Math.max(...first.told.map((told) => told.epoch)))
  })

  test('keep a lease for as long as a handler runs', async () => {
    const world = await openWorld({ partitions: 1 })
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = world.instance({ onChanges: () => { begun.resolve(); return release.promise } })
    await world.write(...songs(2))
    await first.start()
    await begun.promise
    const second = world.instance()
    await second.start()
    const renewals = () => world.server.log.filter(({ operation, container, status }) => operation === 'replace' && container === 'leases' && status === 200).length
    const from = renewals()
    await expect.poll(renewals).toBeGreaterThan(from + 8)
    release.resolve()
    await expect.poll(() => idsOf(first)).toEqual(ids(2))
    expect(second.told).toEqual([])
  })

  test('of different names each see every change', async () => {
    const world = await openWorld()
    const [one, other] = [world.instance({ processorName: 'one' }), world.instance({ processorName: 'other' })]
    await world.write(...songs(6))
    await one.start()
    await other.start()
    await expect.poll(() => [idsOf(one), idsOf(other)]).toEqual([ids(6), ids(6)])
  })
})

describe('when a physical partition splits', () => {
  test('nothing is missed or told twice, and the halves are shared', async () => {
    const world = await openWorld({ partitions: 1 })
    const [first, second] = [world.instance({ instanceName: 'first', maxItemCount: 4 }), world.instance({ instanceName: 'second', maxItemCount: 4 })]
    await first.start()
    await second.start()
    await world.write(...songs(10))
    await expect.poll(() => idsOf(first, second)).toEqual(ids(10))
    world.server.split('music', 'songs', world.server.partitions('music', 'songs')[0]!.id)
    await world.write(...songs(30).slice(10))
    await expect.poll(() => idsOf(first, second)).toEqual(ids(30))
    await expect.poll(async () => (await first.estimateLag()).map(({ owner = 'none' }) => owner.split('-')[0]!).toSorted()).toEqual(['first', 'second'])
    for (const { id } of world.server.partitions('music', 'songs')) world.server.split('music', 'songs', id)
    await world.write(...songs(60).slice(30))
    await expect.poll(() => idsOf(first, second)).toEqual(ids(60))
    await expect.poll(async () => (await first.estimateLag()).length).toBe(4)
    expect([...first.errors, ...second.errors]).toEqual([])
  })

  test('a processor that starts after the split continues from the checkpoint before it', async () => {
    const world = await openWorld({ partitions: 1 })
    const first = world.instance()
    await first.start()
    await world.write(...songs(5))
    await expect.poll(() => idsOf(first)).toEqual(ids(5))
    await first.stop()
    world.server.split('music', 'songs', world.server.partitions('music', 'songs')[0]!.id)
    await world.write(...songs(20).slice(5))
    const second = world.instance()
    await second.start()
    await expect.poll(() => idsOf(first, second)).toEqual(ids(20))
    await expect.poll(async () => (await second.estimateLag()).length).toBe(2)
  })
})

test('the lag is the number of changes since the checkpoint', async () => {
  const world = await openWorld({ partitions: 1 })
  const instance = world.instance()
  await world.write(...songs(7))
  const total = async () => (await instance.estimateLag()).reduce((sum, { estimatedLag }) => sum + estimatedLag, 0)
  expect(await total()).toBe(7)
  await instance.start()
  await expect.poll(total).toBe(0)
  await instance.stop()
  await world.write(...songs(3, 1))
  expect(await total()).toBe(3)
})

describe('a mistake is an error that says what to do', () => {
  test('a missing container', async () => {
    const world = await openWorld()
    const { leases } = world
    const { database } = leases
    await expect(world.instance({ leaseContainer: database.container('none') }).start()).rejects.toThrow(/"none" does not exist.*partition key \/id/)
    await expect(createChangeFeedProcessor({ container: database.container('none'), leaseContainer: leases, processorName: 'p', onChanges: () => 0 }).start()).rejects.toThrow(/"none" does not exist/)
  })

  test.each([['/a/b'], ['/partitionKey'], ['/owner']])('a lease container with the partition key %s', async (path) => {
    const { songs: container, leases } = await openWorld()
    const { container: leaseContainer } = await leases.database.containers.createIfNotExists({ id: 'others', partitionKey: { paths: [path] } })
    const error: unknown = await createChangeFeedProcessor({ container, leaseContainer, processorName: 'p', onChanges: () => 0 }).start().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SetupError)
    expect(String(error)).toMatch(/"others"/)
    expect(String(error)).toContain(path)
    expect(String(error)).toContain('/id')
  })

  test('a container that was deleted and created again', async () => {
    const world = await openWorld()
    const { songs: container } = world
    await (await started(world.instance())).stop()
    await container.delete()
    await container.database.containers.createIfNotExists({ id: 'songs', partitionKey: { paths: ['/album'] } })
    await expect(world.instance().start()).rejects.toThrow(/processorName/)
  })

  test('a name or number that cannot be used, and a second start', async () => {
    const world = await openWorld()
    expect(() => world.instance({ processorName: 'a/b' })).toThrow(/processorName/)
    expect(() => world.instance({ maxItemCount: 0 })).toThrow(/maxItemCount/)
    for (const startFrom of ['yesterday', new Date('yesterday'), 7, null]) expect(() => world.instance({ startFrom: startFrom as 'now' })).toThrow(/startFrom.*'beginning', 'now'/)
    const running = await started(world.instance())
    await expect(running.start()).rejects.toThrow(/stop\(\)/)
  })
})

test('missing and misspelt options are named', async () => {
  const { songs: container, leases: leaseContainer } = await openWorld()
  const options = { container, leaseContainer, processorName: 'p', onChanges: () => 0 }
  for (const name of Object.keys(options)) expect(creating({ ...options, [name]: undefined })).toThrow(new RegExp(`${name} is missing`))
  expect(creating({ ...options, startfrom: 'beginning' })).toThrow(/startfrom.*Did you mean startFrom\?/)
  expect(creating({ ...options, container: 'orders' })).toThrow(/container is a string/)
})

function creating(given: object): () => unknown {
  return () => createChangeFeedProcessor(given as ChangeFeedProcessorOptions)
}

async function started<T extends { start(): Promise<void> }>(instance: T): Promise<T> {
  await instance.start()
  return instance
}

/** What the leases say, but for who has them and until when. */
async function checkpoints(leases: Awaited<ReturnType<typeof openWorld>>['leases']): Promise<unknown[]> {
  const { resources } = await leases.items.query<{ id: string; point?: string }>('SELECT * FROM c').fetchAll()
  return resources.filter(({ id }) => id.includes('.feed-')).map(({ id, point }) => [id, point])
}
