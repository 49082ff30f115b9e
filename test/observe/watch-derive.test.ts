// A function of `derive` must depend on its document alone: what it computes is kept in rows and snapshots. Development finds
// functions of the clock, of chance and of state, and says so once.

import { expect, test } from 'vitest'
import { watchDerive } from '../../src/observe/watch-derive.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Derive } from '../../src/relations/kind.ts'
import { openGateway } from '../harness.ts'
import { createLog } from '../../src/observe/log/log.ts'

let calls = 0
const derive: Derive = {
  Person: {
    age: ({ born }) => new Date().getFullYear() - (born as number),
    dated: () => Date(),
    stamp: () => Date.now(),
    chance: () => Math.random(),
    state: () => ++calls,
    full: ({ born }) => `born ${String(born)}`,
    day: ({ at }) => new Date(at as string).toISOString(),
    parsed: ({ at }) => Date.UTC(2020, 1, 1) + Date.parse(at as string),
    broken: () => { throw new Error('no') },
  },
}
const person = { id: 'p', born: 1990, at: '2020-02-03T04:05:06Z' }

test.each([['age', true], ['dated', true], ['stamp', true], ['chance', true], ['state', true], ['full', false], ['day', false], ['parsed', false]])('%s: %s', (field, isImpure) => {
  const told: string[] = []
  const [before, after] = [derive['Person']![field]!, watchDerive(derive, (sentence) => told.push(sentence))['Person']![field]!]
  const DateBefore = Date
  for (let time = 0; time < 100; time++) after(person)
  expect(told.map((sentence) => sentence.split(':')[0])).toEqual(isImpure ? [`Person.${field}`] : [])
  if (!isImpure) expect(after(person)).toEqual(before(person))
  expect(Date).toBe(DateBefore)
})

test('an error of the function stays its own', () => {
  expect(() => watchDerive(derive, () => { throw new Error('told') })['Person']!['broken']!(person)).toThrow('no')
})

test.each([true, false])('a gateway in development (%s) warns of it', async (development) => {
  const lines: string[] = []
  const ask = await openGateway({
    typeDefs: 'type Person @document(container: "people") { id: ID! born: Int! age: Int! @derived }', derive: { Person: { age: derive['Person']!['age']! } },
    documents: { Person: [person] }, store: openMemoryStore, openReads: true, development, log: createLog({ level: 'warn', readable: false, to: { write: (line: string) => void lines.push(line) } }),
  })
  expect((await ask('{ person(id: "p") { age } }')).data).toEqual({ person: { age: new Date().getFullYear() - 1990 } })
  expect(lines.filter((line) => line.includes('Person.age')).length).toBe(development ? 1 : 0)
  await ask.close()
})
