// The schema is answered in one stretch, so one document may ask for it only so many times.

import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openGateway } from '../../harness.ts'

const typeDefs = 'type Cage @document(container: "cages") { id: ID! }'

function asking(times: number): string {
  return `{ ${Array.from({ length: times }, (_, at) => `a${at}: ${at % 2 === 0 ? '__schema { queryType { name } }' : '__type(name: "Cage") { name }'}`).join(' ')} }`
}

test.each([true, false])('development %s', async (development) => {
  const ask = await openGateway({ typeDefs, store: openMemoryStore, openReads: true, development, introspection: true })
  expect((await ask(asking(10))).errors).toBeUndefined()
  expect((await ask(asking(190))).errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }])
  await ask.close()
})
