// A variable that is null where an argument needs a value is the client's mistake: GraphQL finds it only when the field runs.

import { expect, test } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'

const requests = [
  { query: 'query ($id: ID = "c1") { cage(id: $id) { id } }', variables: { id: null } },
  { query: 'query ($direction: OrderDirection = ASC) { cages(orderBy: { field: NAME, direction: $direction }) { nodes { id } } }', variables: { direction: null } },
  { query: 'query ($filters: [CageFilter!] = []) { cages(filter: { and: $filters, not: { and: [{ name: { eq: "a" } }] } }) { nodes { id } } }', variables: { filters: [null] } },
]

test.each(requests)('$query', async (request) => {
  const lines: string[] = []
  const gateway = await createGateway({
    typeDefs: 'type Cage @document(container: "cages") { id: ID! name: String! @indexed }', store: openMemoryStore, openReads: true,
    log: createLog({ level: 'error', readable: false, to: { write: (line) => void lines.push(line) } }),
  })
  for (let time = 0; time < 3; time++) {
    const response = await gateway.fetch('http://zoo/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) })
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
  }
  expect(lines).toEqual([])
  await gateway.dispose()
})
