// Random declarations over the same random data, one after the other: each migration is killed at a random write and run again, and the API
// answers under every declaration what it answered under the first. What no declaration knows stays in the documents.

import { describe, expect, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { finishMigration } from '../../../src/evolve/migrate/apply-migration.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import type { Store } from '../../../src/store/store.ts'
import { stores } from '../../harness.ts'
import { documentsIn, keptStore, killedAt, migrate, serving } from './migrating.ts'
import { answerOf, declared, documentsFrom, randomFrom } from './random-declarations.ts'

describe.for(stores)('on $name', ({ name, store: open }) => {
  test.each(Array.from({ length: name === 'memory' ? 25 : name === 'sqlite' ? 10 : 4 }, (_, seed) => seed + 1))('seed %i', async (seed) => {
    const random = randomFrom(seed * 7919 + name.length)
    const chain = [declared(random, true), declared(random, false), declared(random, false), declared(random, false)]
    const schemas = chain.map(({ sdl }) => sdl)
    const store = await keptStore(open, schemas)
    const documents = documentsFrom(random)
    const answered = await serving(store, schemas[0]!, (ask) => answerOf(ask, chain[0]!), documents)
    for (const [step, each] of chain.slice(1).entries()) {
      await migrateKilled(store, each.sdl, 1 + random(25))
      expect(await serving(store, each.sdl, (ask) => answerOf(ask, each)), `step ${step + 1}: ${each.sdl}`).toEqual(answered)
    }
    const stored = JSON.stringify(await documentsIn(store, schemas))
    for (const { unknown } of documents['Book']!) expect(stored).toContain(`"unknown":${JSON.stringify(unknown)}`)
  }, 60_000)
})

async function migrateKilled(store: Store, sdl: string, write: number): Promise<void> {
  const declaration = readDeclaration(sdl)
  await killedAt(store, write, (dying) => migrate(dying, sdl))
  await migrate(store, sdl)
  await finishMigration(declaration, store, { keep: () => {}, silenceMs: 0 })
  expect(await Array.fromAsync(checkStore(declaration, store)), sdl).toEqual([])
}
