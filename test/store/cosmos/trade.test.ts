// What a trade of the shipped library asks of Cosmos DB: the same few requests on any number of physical partitions.

import { expect, test } from 'vitest'
import { derive } from '../../../schema/library/derive.ts'
import { resolvers } from '../../../schema/library/resolvers.ts'
import { startCosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'
import { readSdlFolder } from '../../../src/model/sdl/read-sdl.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { openGateway } from '../../harness.ts'
import { sampleDocuments } from '../../library/sample-documents.ts'

const create = (id: string): string => `mutation { createTrade(input: { ${id} symbol: "zaza", date: "2026-11-18", tradedAt: "2026-11-18T10:00:00Z", price: 1, quantity: 1, stockId: "1" }) { trade { id } } }`

test.each([1, 4, 16])('on %i physical partitions', async (partitions) => {
  const server = await startCosmosEmulator({ partitions })
  const ask = await openGateway({
    typeDefs: readSdlFolder('schema/library'), derive, resolvers, seed: ({ model }) => sampleDocuments(model), settles: false, freshness: () => ({ boundMs: 0, watermark: 0 }),
    store: (layout) => openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, layout),
  })
  const requests = async (query: string): Promise<string[]> => {
    server.clearLog()
    expect((await ask(query)).errors).toBeUndefined()
    return server.log.map(({ operation, container }) => `${operation} ${container}`)
  }
  const record = 'mutation { recordTrade(input: { symbol: "zaza", price: 2, quantity: 1 }) { trade { id } stock { volume } } }'
  for (let time = 0; time < 2; time++) expect(await requests(record)).toEqual(['read quire', 'read stocks', 'batch stocks', 'batch trades'])
  expect(await requests(create(''))).toEqual(['read stocks', 'batch trades'])
  expect((await requests(create('id: "mine",'))).toSorted()).toEqual(['batch trades', 'read quire', 'read stocks'])
  const taken = await ask(create('id: "mine",'))
  expect(taken.errors).toMatchObject([{ message: 'Trade mine already exists. Update it, or choose another id.', extensions: { code: 'CONFLICT' } }])
  await ask.close()
  await server.close()
})
