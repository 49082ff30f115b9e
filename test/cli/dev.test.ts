// `quire dev` as a process: what is saved is served, what cannot be served is told, and nothing that is
// stored or under way is lost on the way.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linesFrom, startQuire } from './quire.ts'

let folder: string
let running: ChildProcess[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-dev-'))
  mkdirSync(join(folder, 'schema'))
  running = []
})
afterEach(() => {
  for (const each of running) each.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const keeper = 'type Keeper @document(container: "keepers") { id: ID! name: String! born: Int }\n'
const cage = (fields: string) => `type Cage @document(container: "cages") { id: ID! ${fields} }\n`
const copied = (...names: string[]) => cage(`keeper: Keeper! @snapshot(at: "keeper", fields: ${JSON.stringify(names)})`)

function save(name: string, text: string): void {
  // As editors do it: beside, and then in its place.
  writeFileSync(join(folder, `${name}.saving`), text)
  renameSync(join(folder, `${name}.saving`), join(folder, name))
}

interface Dev {
  readonly process: ChildProcess
  readonly line: () => Promise<string>
  readonly ask: (query: string) => Promise<unknown>
}

async function dev(...args: string[]): Promise<Dev> {
  const started = startQuire(['dev', '--port', '0', ...args], { cwd: folder })
  running.push(started)
  const next = linesFrom(started)
  let address: string | undefined
  // What is said besides, and in which order the two streams come, is not what this is about.
  for (let said = 0; address === undefined && said < 5; said++) address = /^Quire is ready at (\S+)$/.exec(await next())?.[1]
  const line = async (): Promise<string> => {
    const said = await next()
    return /^(Development:|GraphiQL is not built)/.test(said) ? line() : said.replace(/ in \d+ ms:/, ' in N ms:')
  }
  return {
    process: started,
    line,
    ask: async (query) => {
      const response = await fetch(address!, { method: 'POST', headers: { 'content-type': 'application/json', 'quire-trace': '0' }, body: JSON.stringify({ query }) })
      const { data, errors } = (await response.json()) as { data?: unknown; errors?: { message: string }[] }
      return errors ? errors.map(({ message }) => message) : data
    },
  }
}

const fill = 'mutation { createKeeper(input: { id: "k", name: "Ann", born: 1980 }) { keeper { id } } createCage(input: { id: "c", keeperId: "k" }) { cage { id } } }'

test('a save is served on the same port, documents in memory stay, and their copies follow the schema', async () => {
  save('schema/zoo.graphql', keeper + copied('name'))
  const { line, ask } = await dev('--schema', 'schema', '--store', 'memory')
  await ask(fill)
  save('schema/zoo.graphql', keeper + copied('name', 'born'))
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await line()).toBe('In memory 1 copy, list or count was worked out anew.')
  expect(await ask('query @read(from: SNAPSHOT) { cage(id: "c") { keeper { name born } } }')).toEqual({ cage: { keeper: { name: 'Ann', born: 1980 } } })
})

test('in memory no reference is emptied for a schema that is only half changed', async () => {
  save('schema/zoo.graphql', keeper + cage('keeper: Keeper @reference(at: "keeperId")'))
  const { line, ask } = await dev('--schema', 'schema', '--store', 'memory')
  await ask(fill)
  save('schema/zoo.graphql', keeper.replace('"keepers"', '"staff"') + cage('keeper: Keeper @reference(at: "keeperId")'))
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await line()).toBe('In memory one reference points now at what does not exist, so nothing was mended: Cage.keeper of c points at Keeper k, which does not exist. Repair empties it.')
  save('schema/zoo.graphql', keeper + cage('keeper: Keeper @reference(at: "keeperId")'))
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await ask('{ cage(id: "c") { keeper { name } } }')).toEqual({ cage: { keeper: { name: 'Ann' } } })
})

test('what cannot be served is told in full and the old schema serves on, until the next good save', async () => {
  save('schema/zoo.graphql', keeper)
  save('quire.config.json', '{ "schema": "schema", "store": "sqlite:zoo.db" }')
  const { process: started, line, ask } = await dev()
  save('schema/zoo.graphql', 'type Keeper @document(container: "keepers") { name: String! tags: [String!]! }')
  expect(await line()).toBe('Not reloaded: zoo.graphql changed. What was served before is served until this is mended.')
  expect(await line()).toBe('The schema cannot be served:')
  expect(await line()).toBe('  - zoo.graphql:1:6: Keeper is a document type, so it needs the field id: ID!.')
  expect(await line()).toMatch(/^ {2}- zoo\.graphql:1:61: Keeper\.tags is a list/)
  expect(await ask('mutation { createKeeper(input: { id: "k", name: "Ann" }) { keeper { name } } }')).toEqual({ createKeeper: { keeper: { name: 'Ann' } } })

  save('schema/zoo.graphql', keeper)
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  save('schema/derive.ts', 'export const derive = { Keeper: { label: ({ name }: { name: string }): string => `${name} one` } }')
  expect(await line()).toBe('Reloaded in N ms: derive.ts added.')
  save('schema/zoo.graphql', 'type Keeper @document(container: "keepers") { id: ID! name: String! @indexed label: String! @derived }')
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await line()).toBe('What is stored was written under the old schema: "quire check" says what differs, and "quire check --repair" mends it.')
  expect(await ask('{ keepers(filter: { name: { eq: "Ann" } }) { nodes { label } } }')).toEqual({ keepers: { nodes: [{ label: 'Ann one' }] } })
  save('schema/derive.ts', 'export const derive = { Keeper: { label: ({ name }: { name: string }): string => `${name} two` } }')
  expect(await line()).toBe('Reloaded in N ms: derive.ts changed.')
  expect(await ask('{ keeper(id: "k") { label } }')).toEqual({ keeper: { label: 'Ann two' } })

  save('schema/resolvers.js', 'export const resolvers = { Keeper: { label: () => "Resolved" } }')
  expect(await line()).toBe('Reloaded in N ms: resolvers.js added.')
  expect(await ask('{ keeper(id: "k") { label } }')).toEqual({ keeper: { label: 'Resolved' } })

  save('quire.config.json', '{ "schema": "schema", "stroe": "memory" }')
  expect(await line()).toBe('Not reloaded: quire.config.json changed. What was served before is served until this is mended.')
  expect(await line()).toBe('quire.config.json: there is no setting "stroe". Did you mean "store"?')

  // A folder that goes and comes back is watched again.
  renameSync(join(folder, 'schema'), join(folder, 'away'))
  expect(await line()).toBe('Not reloaded: derive.ts removed, resolvers.js removed, zoo.graphql removed. What was served before is served until this is mended.')
  expect(await line()).toBe('quire.config.json: there is no setting "stroe". Did you mean "store"?')
  save('quire.config.json', '{ "schema": "away", "store": "sqlite:zoo.db" }')
  expect(await line()).toBe('Reloaded in N ms: quire.config.json changed.')
  save('away/more.graphql', 'type House @document(container: "houses") { id: ID! }')
  expect(await line()).toBe('Reloaded in N ms: more.graphql added.')
  expect(await ask('{ houses { totalCount } keepers { totalCount } }')).toEqual({ houses: { totalCount: 0 }, keepers: { totalCount: 1 } })

  const closed = once(started, 'close')
  started.kill('SIGINT')
  expect(await closed).toEqual([0, null])
})
