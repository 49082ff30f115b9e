// What creating, updating and deleting refuse, and what the messages name. A refused mutation changes nothing, so all
// tests share the same shops.

import { beforeAll, describe, expect, test } from 'vitest'
import { noLimits } from '../../src/http/limits/request-limits.ts'
import { inspect } from 'graphql/jsutils/inspect.js'
import { unlikeStores } from '../harness.ts'
import { expectRefused, written, type Writable } from './open-writable.ts'
import { create, home, openShops, remove, update } from './shops.ts'

const books = { name: 'Books', open: true, home }

describe.each(unlikeStores)('refused on $name', ({ store }) => {
  let shops: Writable
  beforeAll(async () => {
    shops = await openShops(store, { limits: noLimits })
    await written(shops.ask, create, { input: { id: 's3', ...books } })
  })

  test('an id that is taken', async () => {
    await expectRefused(shops, create, { code: 'CONFLICT', says: 'Shop s1 already exists' }, { input: { id: 's1', ...books } })
  })

  test.each(['', 'a/b', 'a\\b', 'a?b', 'a#b', 'a\nb', '.', '..', ' ', 'x'.repeat(256)])('an id that not every store can keep: %j', async (id) => {
    await expectRefused(shops, create, { code: 'BAD_USER_INPUT', says: [`"${id.slice(0, 40)}"`, 'Shop', '255'] }, { input: { id, ...books } })
  })

  test.each([[update, { motto: 'New' }], [remove, {}]])('a document that is not there: %s', async (mutation, given) => {
    await expectRefused(shops, mutation, { code: 'NOT_FOUND', says: 'Shop s9' }, { input: { id: 's9', ...given } })
  })

  test.each([[update, { motto: 'New' }], [remove, {}]])('an etag that is not the document\'s: %s', async (mutation, given) => {
    for (const ifMatch of ['old', '', (await shops.etags('shops'))['s2']]) {
      await expectRefused(shops, mutation, { code: 'CONFLICT', says: 'Shop s1 has changed' }, { input: { id: 's1', ifMatch, ...given } })
    }
  })

  test.each(['name', 'open', 'home'])('null where %s may not be empty', async (field) => {
    await expectRefused(shops, update, { code: 'BAD_USER_INPUT', says: `Shop.${field} cannot be null` }, { input: { id: 's1', motto: 'New', [field]: null } })
  })

  test.each([
    ['values', { tags: ['a', 'b', 'c', 'd'] }, ['Shop.tags', '4', 'max 3']],
    ['objects', { contacts: [1, 2, 3].map((n) => ({ mail: { email: `${n}` } })) }, ['Shop.contacts', '3', 'max 2']],
    ['references', { rivalIds: ['s1', 's2', 's3'] }, ['Shop.rivals', '3', 'max 2']],
    ['values inside an object', { branch: { street: 'X', floors: [1, 2, 3] } }, ['Address.floors', '3', 'max 2']],
  ])('more %s than the schema allows', async (_, given, says) => {
    await expectRefused(shops, create, { code: 'BAD_USER_INPUT', says }, { input: { ...books, ...given } })
    await expectRefused(shops, update, { code: 'BAD_USER_INPUT', says }, { input: { id: 's1', ...given } })
  })

  test('no shape of a union, or two at once', async () => {
    for (const contact of [{}, { mail: { email: 'a' }, phone: { number: '1' } }]) {
      const says = `Variable "$input" got invalid value ${inspect(contact)} at "input.contacts[0]"; Exactly one key must be specified for OneOf type "ContactInput".`
      await expectRefused(shops, create, { says }, { input: { ...books, contacts: [contact] } })
    }
  })

  test('a document that is larger than the store keeps', async () => {
    const motto = 'x'.repeat(2 * 1024 * 1024)
    for (const [mutation, input] of [[create, { ...books, motto }], [update, { id: 's1', motto }]] as const) await expectRefused(shops, mutation, { code: 'BAD_USER_INPUT' }, { input })
  })

  test('refused mutations leave the shops as they were', async () => {
    expect(Object.keys(await shops.bodies('shops'))).toEqual(['s1', 's2', 's3'])
  })
})
