// Creating, updating and deleting documents: the input, the stored document and the payload. Refusals are in
// refusals.test.ts; effects on other documents in weak-links.test.ts, deletion.test.ts, snapshots.test.ts and counts.test.ts.

import { beforeEach, describe, expect, test } from 'vitest'
import { openGateway, stores } from '../harness.ts'
import { callsOf, expectRefused, written, type Writable } from './open-writable.ts'
import { create, home, openShops, remove, update } from './shops.ts'

describe.each(stores)('documents on $name', ({ store }) => {
  let shops: Writable
  const etag = async (id: string) => (await shops.etags('shops'))[id]!

  beforeEach(async () => {
    shops = await openShops(store)
  })

  describe('creating', () => {
    test('stores every field under its stored name, with version 1', async () => {
      const input = {
        id: 's3', name: 'Books', motto: 'Read!', size: 'LARGE', open: false, home: { street: '3 High Street', city: 'Leeds', floors: [0, 1] }, branch: home,
        tags: ['old', 'new'], contacts: [{ mail: { email: 'a@b.c' } }, { phone: { number: '555', extension: 5 } }], owner: { phone: { number: '556' } },
        regionId: '7', rivalIds: ['s2', 's1'],
      }
      await written(shops.ask, create, { input })
      expect((await shops.bodies('shops'))['s3']).toEqual({
        id: 's3', 'shop-name': 'Books', motto: 'Read!', size: 'LARGE', 'is-open': false,
        home: { line1: '3 High Street', city: 'Leeds', floors: [0, 1] }, 'second-home': { line1: '1 High Street' },
        tags: ['old', 'new'], contacts: [{ email: 'a@b.c' }, { number: '555', ext: 5 }], owner: { number: '556' },
        'region-no': 7, rivals: ['s2', 's1'], _v: 1,
      })
    })

    test('the payload reads as a query would', async () => {
      const selection = `{ id name size open etag nodeId home { street city floors } branch { street } tags
        contacts { __typename ... on Mail { email } ... on Phone { number extension } } owner { ... on Mail { email } } region { name } rivals { name } }`
      const input = { id: 's3', name: 'Books', open: true, size: 'SMALL', home: { street: 'X', floors: [2] }, contacts: [{ mail: { email: 'a@b.c' } }], owner: { mail: { email: 'd@e.f' } }, regionId: '7', rivalIds: ['s1'] }
      const { createShop } = await written(shops.ask, `mutation ($input: CreateShopInput!) { createShop(input: $input) { shop ${selection} } }`, { input })
      const { data } = await shops.ask(`{ shop(id: "s3") ${selection} }`)
      expect(createShop).toEqual(data)
      expect(data).toMatchObject({ shop: { contacts: [{ __typename: 'Mail', email: 'a@b.c' }], region: { name: 'North' }, rivals: [{ name: 'Hats' }], branch: null } })
    })

    test('omitted lists are stored empty, other omitted fields are absent', async () => {
      await written(shops.ask, create, { input: { id: 's3', name: 'Books', open: true, home } })
      expect((await shops.bodies('shops'))['s3']).toEqual({
        id: 's3', 'shop-name': 'Books', 'is-open': true, home: { line1: '1 High Street' }, tags: [], contacts: [], rivals: [], _v: 1,
      })
    })

    test('returns clientMutationId, and null when none was given', async () => {
      expect(await written(shops.ask, create, { input: { clientMutationId: 'c 1', id: 's3', name: 'Books', open: true, home } }))
        .toEqual({ createShop: { clientMutationId: 'c 1', shop: { id: 's3', name: 'Books' } } })
      expect(await written(shops.ask, create, { input: { id: 's4', name: 'Maps', open: true, home } })).toMatchObject({ createShop: { clientMutationId: null } })
    })

    test('generates a new id when none is given', async () => {
      const ids = await Promise.all([{}, { id: null }].map(async (given) => {
        const { createShop } = await written(shops.ask, create, { input: { ...given, name: 'Books', open: true, home } })
        return (createShop as { shop: { id: string } }).shop.id
      }))
      expect(new Set(ids).size).toBe(2)
      expect(Object.keys(await shops.bodies('shops')).toSorted()).toEqual(['s1', 's2', ...ids].toSorted())
    })

    test('any text without URL delimiters can be an id', async () => {
      for (const id of ['x'.repeat(255), '😀'.repeat(255), 'a b.c-d_é"\'', '__proto__']) {
        await written(shops.ask, create, { input: { id, name: 'Books', open: true, home } })
        expect((await shops.ask('query ($id: ID!) { shop(id: $id) { id name } }', { variables: { id } })).data).toEqual({ shop: { id, name: 'Books' } })
        await expectRefused(shops, create, { code: 'CONFLICT' }, { input: { id, name: 'Again', open: true, home } })
      }
    })

    test('keeps a text id as text where ids are numbers', async () => {
      await written(shops.ask, create, { input: { id: 's3', name: 'Books', open: true, home, regionId: 'west' } })
      expect((await shops.bodies('shops'))['s3']).toMatchObject({ 'region-no': 'west' })
      expect((await shops.ask('{ shop(id: "s3") { region { name } } region(id: "west") { shops { nodes { id } } } }')).data)
        .toEqual({ shop: { region: { name: 'West' } }, region: { shops: { nodes: [{ id: 's3' }] } } })
    })

    test('stores a repeated id in a list once', async () => {
      await written(shops.ask, create, { input: { id: 's3', name: 'Books', open: true, home, rivalIds: ['s2', 's2'] } })
      expect((await shops.bodies('shops'))['s3']).toMatchObject({ rivals: ['s2'] })
    })
  })

  describe('updating', () => {
    test('lists may be as long as the schema says', async () => {
      await written(shops.ask, create, { input: { id: 's3', name: 'Books', open: true, home } })
      const full = { tags: ['a', 'b', 'c'], contacts: [{ mail: { email: '1' } }, { mail: { email: '2' } }], rivalIds: ['s1', 's2'], branch: { street: 'X', floors: [1, 2] } }
      await written(shops.ask, update, { input: { id: 's3', ...full } })
      expect((await shops.bodies('shops'))['s3']).toMatchObject({ tags: ['a', 'b', 'c'], contacts: [{ email: '1' }, { email: '2' }], rivals: ['s1', 's2'], 'second-home': { floors: [1, 2] } })
    })

    test('replaces given fields, keeps the others, and increments the version', async () => {
      const before = (await shops.bodies('shops'))['s1']
      const old = await etag('s1')
      const answer = await written(shops.ask, update, { input: { clientMutationId: 'c', id: 's1', name: 'Caps' } })
      expect(answer).toEqual({ updateShop: { clientMutationId: 'c', shop: { id: 's1', name: 'Caps', motto: 'Hats!', etag: await etag('s1') } } })
      expect(await etag('s1')).not.toBe(old)
      expect((await shops.bodies('shops'))['s1']).toEqual({ ...before, 'shop-name': 'Caps', _v: 1 })
      await written(shops.ask, update, { input: { id: 's1', home: { street: 'Y', city: 'York' } } })
      expect((await shops.bodies('shops'))['s1']).toEqual({ ...before, 'shop-name': 'Caps', home: { line1: 'Y', city: 'York' }, _v: 2 })
      await written(shops.ask, update, { input: { id: 's1', home } })
      expect((await shops.bodies('shops'))['s1']).toEqual({ ...before, 'shop-name': 'Caps', _v: 3 })
    })

    test('writes no other document', async () => {
      const other = await etag('s2')
      await written(shops.ask, update, { input: { id: 's1', name: 'Caps' } })
      expect(await etag('s2')).toBe(other)
    })

    test('keeps stored properties that the schema does not declare', async () => {
      const [found] = await shops.store.readMany('shops', [{ partition: ['s1'], id: 's1' }])
      await shops.store.write([{ kind: 'put', container: 'shops', key: found!.key, body: { ...found!.body, legacy: { kept: [1] } } }])
      await written(shops.ask, update, { input: { id: 's1', motto: 'New' } })
      expect((await shops.bodies('shops'))['s1']).toMatchObject({ motto: 'New', legacy: { kept: [1] } })
    })

    test('null clears a nullable field', async () => {
      await written(shops.ask, update, { input: { id: 's1', motto: null, size: null, branch: null, owner: null, tags: null, contacts: null, regionId: null, rivalIds: null } })
      const { data } = await shops.ask('{ shop(id: "s1") { name motto size branch { city } owner { __typename } tags contacts { __typename } region { id } rivals { id } } }')
      expect(data).toEqual({ shop: { name: 'Hats', motto: null, size: null, branch: null, owner: null, tags: [], contacts: [], region: null, rivals: [] } })
    })

    test('a cleared list is stored as an empty list', async () => {
      await written(shops.ask, update, { input: { id: 's1', tags: null, contacts: null, rivalIds: null } })
      expect((await shops.bodies('shops'))['s1']).toMatchObject({ tags: [], contacts: [], rivals: [] })
    })

    test('an etag allows one update', async () => {
      const input = { id: 's1', motto: 'New', ifMatch: await etag('s1') }
      await written(shops.ask, update, { input })
      await expectRefused(shops, update, { code: 'CONFLICT', says: 'Shop s1 has changed' }, { input })
    })

    test('the etag in the payload allows the next update', async () => {
      const { updateShop } = await written(shops.ask, update, { input: { id: 's1', motto: 'One' } })
      await written(shops.ask, update, { input: { id: 's1', motto: 'Two', ifMatch: (updateShop as { shop: { etag: string } }).shop.etag } })
    })
  })

  describe('deleting', () => {
    test('the payload has the last version of the document, and then it is gone', async () => {
      const old = await etag('s1')
      expect(await written(shops.ask, remove, { input: { clientMutationId: 'c', id: 's1' } }))
        .toEqual({ deleteShop: { clientMutationId: 'c', shop: { id: 's1', name: 'Hats', etag: old } } })
      expect(Object.keys(await shops.bodies('shops'))).toEqual(['s2'])
      expect((await shops.ask('{ shop(id: "s1") { id } shops { totalCount nodes { id } } }')).data).toEqual({ shop: null, shops: { totalCount: 1, nodes: [{ id: 's2' }] } })
    })

    test('the current etag allows the deletion', async () => {
      await written(shops.ask, remove, { input: { id: 's1', ifMatch: await etag('s1') } })
    })

    test('the id can be used again', async () => {
      await written(shops.ask, remove, { input: { id: 's1' } })
      await written(shops.ask, create, { input: { id: 's1', name: 'Coats', open: true, home } })
      expect((await shops.bodies('shops'))['s1']).toMatchObject({ 'shop-name': 'Coats', tags: [] })
    })
  })

  describe('several mutations in one operation', () => {
    test('a later one sees the earlier ones', async () => {
      expect(await written(shops.ask, `mutation {
        a: createShop(input: { id: "s3", name: "Books", open: true, home: { street: "X" }, regionId: "7" }) { shop { name region { name } } }
        b: updateShop(input: { id: "s3", name: "Maps", rivalIds: ["s1"] }) { shop { name rivals { name } } }
        c: updateRegion(input: { id: "7", name: "South" }) { region { name shops { totalCount nodes { name region { name } } } } }
        d: updateShop(input: { id: "s3", rivalIds: [] }) { shop { name region { name } rivals { name } } }
        e: deleteShop(input: { id: "s3" }) { shop { name region { shops { totalCount } } } }
      }`)).toEqual({
        a: { shop: { name: 'Books', region: { name: 'North' } } },
        b: { shop: { name: 'Maps', rivals: [{ name: 'Hats' }] } },
        c: { region: { name: 'South', shops: { totalCount: 2, nodes: [{ name: 'Hats', region: { name: 'South' } }, { name: 'Maps', region: { name: 'South' } }] } } },
        d: { shop: { name: 'Maps', region: { name: 'South' }, rivals: [] } },
        e: { shop: { name: 'Maps', region: { shops: { totalCount: 1 } } } },
      })
    })

    test('an earlier write stays when a later mutation is refused', async () => {
      const { data, errors } = await shops.ask('mutation { a: updateShop(input: { id: "s1", motto: "New" }) { shop { id } } b: deleteShop(input: { id: "s9" }) { shop { id } } }')
      expect(errors).toMatchObject([{ message: 'There is no Shop s9.', path: ['b'], extensions: { code: 'NOT_FOUND' } }])
      expect(data).toBeNull()
      expect((await shops.bodies('shops'))['s1']).toMatchObject({ motto: 'New' })
    })

    test('each is one write', async () => {
      const answer = await shops.ask('mutation { a: updateShop(input: { id: "s1", motto: "A" }) { shop { id } } b: updateShop(input: { id: "s2", motto: "B" }) { shop { id } } }')
      expect(callsOf(answer)).toEqual(['read shops 1', 'write shops 1', 'read shops 1', 'write shops 1'])
    })
  })
})

test('objects inside the members of a union can be written', async () => {
  const ask = await openGateway({
    store: stores[0]!.store,
    typeDefs: `
      type Shop @document(container: "shops") { id: ID! contacts: [Contact!]! @contained(max: 5) }
      union Contact = Letter | Call
      type Letter @shape(has: "address") { address: Address! }
      type Address { street: String! lines: [Line!]! @contained(max: 3) }
      type Line { text: String! }
      type Call @shape(has: "phone") { phone: String! }`,
  })
  const contacts = '{ ... on Letter { address { street lines { text } } } ... on Call { phone } }'
  const { data } = await ask(`mutation { createShop(input: { contacts: [{ letter: { address: { street: "High", lines: [{ text: "c/o" }] } } }, { call: { phone: "1" } }] }) { shop { contacts ${contacts} } } }`)
  expect(data).toEqual({ createShop: { shop: { contacts: [{ address: { street: 'High', lines: [{ text: 'c/o' }] } }, { phone: '1' }] } } })
  await ask.close()
})
