// When the store does not answer: `@read(orStale: true)` gets the snapshot, and the cost report says so. Every other
// operation gets an error.

import { describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../../src/store/store-errors.ts'
import type { Store } from '../../src/store/store.ts'
import { openGateway, unlikeStores } from '../harness.ts'

const typeDefs = `
  type Song @document(container: "songs") { id: ID! singer: Singer @snapshot(at: "singer", fields: ["name"]) }
  type Singer @document(container: "singers") { id: ID! name: String! town: String }
`
const documents = { Song: [{ id: 's', singer: { id: 'a', name: 'Ann (old)' } }], Singer: [{ id: 'a', name: 'Ann' }] }

describe.each(unlikeStores)('with singers out of reach, on $name', ({ store }) => {
  const open = () => openGateway({
    typeDefs,
    documents,
    freshness: () => ({ boundMs: 5000, watermark: 0 }),
    store: async (layout) => withoutSingers(await store(layout)),
  })

  test('a lookup fails with STORE_UNAVAILABLE', async () => {
    const { data, errors } = await (await open())('query @read(maxStaleMs: 0) { song(id: "s") { singer { name } } }')
    expect(data).toEqual({ song: { singer: null } })
    expect(errors).toMatchObject([{ message: expect.stringContaining('unavailable'), path: ['song', 'singer'], extensions: { code: 'STORE_UNAVAILABLE' } }])
  })

  test('orStale gets the snapshot, and the cost report says so', async () => {
    const { data, errors, report } = await (await open())('query @read(maxStaleMs: 0, orStale: true) { song(id: "s") { singer { name } } }')
    expect(errors).toBeUndefined()
    expect(data).toEqual({ song: { singer: { name: 'Ann (old)' } } })
    expect(report.relations).toEqual([{ field: 'Song.singer', from: 'SNAPSHOT', because: 'the store did not answer, so a snapshot of any age did', resolved: 1 }])
    expect(report.staleness).toEqual({ boundMs: 5000 })
  })

  test('orStale does not help with a field that is not copied', async () => {
    const { errors } = await (await open())('query @read(maxStaleMs: 0, orStale: true) { song(id: "s") { singer { town } } }')
    expect(errors).toMatchObject([{ extensions: { code: 'STORE_UNAVAILABLE' } }])
  })
})

/** The same store, but for one container that it cannot read. */
function withoutSingers(store: Store): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name !== 'readMany') return typeof target[name] === 'function' ? target[name].bind(target) : target[name]
      return (...[container, keys, meter]: Parameters<Store['readMany']>) =>
        container === 'singers' ? Promise.reject(new StoreUnavailableError('Throttled.')) : target.readMany(container, keys, meter)
    },
  })
}
