// A field that the viewer may not read answers null with an error at its path, where it can be null: one document serves several roles.

import { describe, expect, test } from 'vitest'
import type { Viewer } from '../../src/auth/viewer.ts'
import { unlikeStores } from '../harness.ts'
import { openWorld, type World } from './world.ts'

const typeDefs = /* GraphQL */ `
  type Worker @document(container: "workers") @writable(by: SIGNED_IN) {
    id: ID!
    name: String!
    wage: Int @indexed @readable(roles: ["hr"])
    notes: [String!] @contained(max: 3) @readable(roles: ["hr"])
    grade: Int! @readable(roles: ["hr"])
    boss: Worker @reference(at: "bossId") @readable(roles: ["hr"])
    file: File @reference(at: "fileId")
    teams: TeamConnection! @reverse(of: "Team.lead")
    aides: WorkerConnection! @reverse(of: "Worker.aided")
    aided: Worker @reference(at: "aidedId")
  }
  type Team @document(container: "teams") { id: ID! lead: Worker @snapshot(at: "lead", fields: ["name", "wage"]) }
  type File @document(container: "files") @readable(roles: ["hr"]) { id: ID! text: String }
`
const documents = {
  Worker: [{ id: 'w1', name: 'Ann', wage: 10, notes: ['x'], grade: 1 }, { id: 'w2', name: 'Bob', wage: 20, grade: 2, bossId: 'w1' }],
  Team: [{ id: 't1', lead: { id: 'w1', name: 'Ann', wage: 10 } }],
}
const viewers: Record<string, Viewer> = { hr: { id: 'h', roles: new Set(['hr']), tenant: undefined }, bob: { id: 'w2', roles: new Set(), tenant: undefined } }

const all = '{ workers { nodes { id name wage boss { name } } } }'
const facts = ({ errors = [] }: Awaited<ReturnType<World['ask']>>) => errors.map(({ path, extensions }) => `${path?.join('.')} ${extensions.code}`)

describe.each(unlikeStores)('on $name', ({ store }) => {
  test.each(['0', '1'])('the same document serves who may and who may not, traced: %s', async (trace) => {
    const world = await openWorld({ typeDefs, documents }, viewers, store)
    // Twice and more: the first time nothing is compiled.
    for (let time = 0; time < 3; time++) {
      const headers = { 'quire-trace': trace }
      const [hr, bob, nobody] = [await world.ask(all, 'hr', headers), await world.ask(all, 'bob', headers), await world.ask(all, 'nobody', headers)]
      expect(hr).toMatchObject({ data: { workers: { nodes: [{ id: 'w1', name: 'Ann', wage: 10, boss: null }, { id: 'w2', name: 'Bob', wage: 20, boss: { name: 'Ann' } }] } } })
      expect(hr.errors).toBeUndefined()
      const seen = { workers: { nodes: [{ id: 'w1', name: 'Ann', wage: null, boss: null }, { id: 'w2', name: 'Bob', wage: null, boss: null }] } }
      expect([bob.data, nobody.data]).toEqual([seen, seen])
      const paths = [0, 1].flatMap((row) => ['wage', 'boss'].map((name) => `workers.nodes.${row}.${name}`))
      expect(facts(bob).toSorted()).toEqual(paths.map((path) => `${path} FORBIDDEN`).toSorted())
      expect(facts(nobody).toSorted()).toEqual(paths.map((path) => `${path} UNAUTHENTICATED`).toSorted())
      expect(bob.text).not.toMatch(/10|20/)
    }
    await world.close()
  })

  test('copies, lists and payloads of mutations keep it, too', async () => {
    const world = await openWorld({ typeDefs, documents }, viewers, store)
    const copied = await world.ask('{ teams { nodes { lead @read(from: SNAPSHOT) { name wage } } } }', 'bob')
    expect(copied.data).toEqual({ teams: { nodes: [{ lead: { name: 'Ann', wage: null } }] } })
    expect(facts(copied)).toEqual(['teams.nodes.0.lead.wage FORBIDDEN'])
    const listed = await world.ask('{ worker(id: "w1") { notes alias: wage } }', 'bob')
    expect(listed.data).toEqual({ worker: { notes: null, alias: null } })
    expect(facts(listed)).toEqual(['worker.notes FORBIDDEN', 'worker.alias FORBIDDEN'])
    const renamed = await world.ask('mutation { updateWorker(input: { id: "w2", name: "Rob" }) { worker { name wage } } }', 'bob')
    expect(renamed.data).toEqual({ updateWorker: { worker: { name: 'Rob', wage: null } } })
    expect(facts(renamed)).toEqual(['updateWorker.worker.wage FORBIDDEN'])
    await world.close()
  })

  test('a field that cannot be null, a type, a filter and an order are refused as a whole', async () => {
    const world = await openWorld({ typeDefs, documents }, viewers, store)
    for (const query of ['{ worker(id: "w1") { name grade } }', '{ worker(id: "w1") { file { text } } }', '{ workers(filter: { wage: { gt: 5 } }) { nodes { id } } }', '{ workers(orderBy: { field: WAGE }) { nodes { id } } }',
      '{ workers { nodes { aides(filter: { wage: { gt: 5 } }) { nodes { id } } } } }', '{ workers(filter: { id: { eq: "none" } }) { nodes { aides(filter: { wage: { gt: 5 } }) { nodes { id } } } } }',
      '{ workers(filter: { id: { eq: "none" } }) { nodes { aidesAggregate { max { wage } } } } }', 'mutation { updateWorker(input: { id: "w2", name: "Rob" }) { worker { aides(filter: { wage: { gt: 5 } }) { totalCount } } } }']) {
      const { data, errors } = await world.ask(query, 'bob')
      expect({ data, codes: errors?.map(({ extensions }) => extensions.code) }).toEqual({ data: null, codes: ['FORBIDDEN'] })
    }
    expect((await world.ask('{ worker(id: "w2") { name } }', 'bob')).data).toEqual({ worker: { name: 'Bob' } })
    await world.close()
  })
})
