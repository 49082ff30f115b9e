// Documents that others have stored, with names in them that every object has: they stay properties like any other,
// on every store, whatever is read, filtered, copied and written.

import { expect, describe, test } from 'vitest'
import type { Body } from '../../src/model/json/json.ts'
import { openGateway, stores } from '../harness.ts'

const typeDefs = /* GraphQL */ `
  type Cage @document(container: "cages") { id: ID! size: Int @indexed beast: Beast @snapshot(at: "beast", fields: ["name"]) note: Note @contained }
  type Beast @document(container: "beasts") { id: ID! name: String @indexed }
  type Note { text: String }
`

/** As a parser makes it: a property of its own, which no literal can have. */
const odd = (json: string) => JSON.parse(json) as Body

const documents = {
  Cage: [odd('{"id":"c1","__proto__":{"size":7,"polluted":true},"constructor":{"prototype":{"polluted":true}},"note":{"__proto__":{"text":"polluted"}}}'), { id: 'c2', size: 2 }],
  Beast: [odd('{"id":"b1","name":"Leo","__proto__":{"name":"polluted"},"toString":"x"}'), odd('{"id":"b2","__proto__":{"name":"polluted"}}')],
}

describe.each(stores)('on $name', ({ store }) => {
  test('nothing is read through a prototype that came with a document', async () => {
    const ask = await openGateway({ typeDefs, store, documents })
    expect((await ask('{ cages { nodes { id size note { text } } } beasts { nodes { id name } } }')).data).toEqual({
      cages: { nodes: [{ id: 'c1', size: null, note: { text: null } }, { id: 'c2', size: 2, note: null }] },
      beasts: { nodes: [{ id: 'b1', name: 'Leo' }, { id: 'b2', name: null }] },
    })
    expect((await ask('{ cages(filter: { size: { isNull: true } }) { nodes { id } } beasts(filter: { name: { eq: "polluted" } }) { totalCount } }')).data).toEqual({ cages: { nodes: [{ id: 'c1' }] }, beasts: { totalCount: 0 } })
    await ask.close()
  })

  test('what is written beside it and copied from it leaves it as it was', async () => {
    const ask = await openGateway({ typeDefs, store, documents })
    expect((await ask('mutation { updateCage(input: { id: "c1", size: 3, beastId: "b2" }) { cage { size beast { name } } } }')).data).toEqual({ updateCage: { cage: { size: 3, beast: { name: null } } } })
    expect((await ask('mutation { updateBeast(input: { id: "b2", name: "Mia" }) { beast { name } } }')).data).toEqual({ updateBeast: { beast: { name: 'Mia' } } })
    expect((await ask('{ cage(id: "c1") { size note { text } beast { name } } }')).data).toEqual({ cage: { size: 3, note: { text: null }, beast: { name: 'Mia' } } })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    await ask.close()
  })
})
