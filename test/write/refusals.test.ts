// What creating, updating and deleting refuse, in which words. Nothing that is refused changes
// anything, which is why all of it is asked of the same shops.

import { beforeAll, describe, expect, test } from 'vitest'
import { noLimits } from '../../src/http/limits/limits.ts'
import { inspect } from 'graphql/jsutils/inspect.js'
import { stores } from '../harness.ts'
import { expectRefused, written, type Writable } from './open-writable.ts'
import { create, home, openShops, remove, update } from './shops.ts'

const books = { name: 'Books', open: true, home }

describe.each(stores)('refused on $name', ({ store }) => {
  let shops: Writable
  beforeAll(async () => {
    shops = await openShops(store, { limits: noLimits })
    await written(shops.ask, create, { input: { id: 's3', ...books } })
  })

  test('an id that is taken', async () => {
    await expectRefused(shops, create, { code: 'CONFLICT', message: 'There is already a Shop s1. Update it, or choose another id.' }, { input: { id: 's1', ...books } })
  })

  test.each(['', 'a/b', 'a\\b', 'a?b', 'a#b', 'a\nb', 'x'.repeat(256)])('an id that not every store can keep: %j', async (id) => {
    await expectRefused(shops, create, { code: 'BAD_USER_INPUT', message: `"${id.slice(0, 40)}" cannot be the id of a Shop. Use up to 255 characters, without / \\ ? #.` }, { input: { id, ...books } })
  })

  test.each([[update, { motto: 'New' }], [remove, {}]])('a document that is not there: %s', async (mutation, given) => {
    await expectRefused(shops, mutation, { code: 'NOT_FOUND', message: 'There is no Shop s9.' }, { input: { id: 's9', ...given } })
  })

  test.each([[update, { motto: 'New' }], [remove, {}]])('an etag that is not the document\'s: %s', async (mutation, given) => {
    for (const ifMatch of ['old', '', (await shops.etags('shops'))['s2']]) {
      await expectRefused(shops, mutation, { code: 'CONFLICT', message: 'Shop s1 has changed since you read it. Read it again and decide anew.' }, { input: { id: 's1', ifMatch, ...given } })
    }
  })

  test.each(['name', 'open', 'home'])('null where %s may not be empty', async (field) => {
    await expectRefused(shops, update, { code: 'BAD_USER_INPUT', message: `Shop.${field} cannot be null. Give it a value, or leave it out.` }, { input: { id: 's1', motto: 'New', [field]: null } })
  })

  test.each([
    ['values', { tags: ['a', 'b', 'c', 'd'] }, 'Shop.tags holds at most 3 and 4 are given.'],
    ['objects', { contacts: [1, 2, 3].map((n) => ({ mail: { email: `${n}` } })) }, 'Shop.contacts holds at most 2 and 3 are given.'],
    ['references', { rivalIds: ['s1', 's2', 's3'] }, 'Shop.rivals holds at most 2 and 3 are given.'],
    ['values inside an object', { branch: { street: 'X', floors: [1, 2, 3] } }, 'Address.floors holds at most 2 and 3 are given.'],
  ])('more %s than the schema allows', async (_, given, message) => {
    await expectRefused(shops, create, { code: 'BAD_USER_INPUT', message }, { input: { ...books, ...given } })
    await expectRefused(shops, update, { code: 'BAD_USER_INPUT', message }, { input: { id: 's1', ...given } })
  })

  test('no shape of a union, or two at once', async () => {
    for (const contact of [{}, { mail: { email: 'a' }, phone: { number: '1' } }]) {
      const message = `Variable "$input" got invalid value ${inspect(contact)} at "input.contacts[0]"; Exactly one key must be specified for OneOf type "ContactInput".`
      await expectRefused(shops, create, { message }, { input: { ...books, contacts: [contact] } })
    }
  })

  test('a document that is larger than the store keeps', async () => {
    const motto = 'x'.repeat(2 * 1024 * 1024)
    for (const [mutation, input] of [[create, { ...books, motto }], [update, { id: 's1', motto }]] as const) await expectRefused(shops, mutation, { code: 'BAD_USER_INPUT' }, { input })
  })

  test('nothing else: the shops are as they were', async () => {
    expect(Object.keys(await shops.bodies('shops'))).toEqual(['s1', 's2', 's3'])
  })
})
