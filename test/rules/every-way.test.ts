// Nothing tells of what a viewer may not see: whichever way it is looked for, the answer is to the letter the one that
// there would be if it did not exist, account and errors included. The ways are found by walking the schema.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayOptions } from '../../src/gateway.ts'
import { openMemoryStore } from '../../src/store/memory.ts'
import { stores } from '../harness.ts'
import { documents, openTypeDefs, typeDefs, viewers } from './diaries.ts'
import { probesOf } from './probes.ts'
import { listening, openWorld, saidIn, type World } from './world.ts'

const resolvers = {
  Query: { secretOfTheDay: () => 'Name of ada', anyDiary: (_: unknown, __: unknown, { quire }: never, info: never) => quire && info && null },
}
const domain = { typeDefs, documents, resolvers }

test('x', async () => {
  const probes = probesOf({ ...domain, depth: 2 })
  console.log(probes.length, probes.slice(0, 10), probes.at(-1))
  const world = await openWorld(domain, viewers, openMemoryStore)
  const started = performance.now()
  for (const who of Object.keys(viewers)) for (const { query } of probes.slice(0, 300)) await world.ask(query, who)
  console.log(performance.now() - started)
  for (const who of ['nobody', 'bob', 'support']) for (const q of ['{ diaries { totalCount nodes { id title writer { name } } } }', '{ topics { nodes { countOfDiaries countOfListed pinned { title } latest { title } featured { id } } } }', '{ topics { nodes { countOfFeatured } } }', '{ diary(id: "diary-ada-1") { id } }']) console.log(who, (await world.ask(q, who, { 'quire-trace': '0' })).text)
  await world.close()
})
