// `quire dev` as a process: it serves every valid save, prints the errors of the others, and loses no documents.

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
  // Like editors: write a new file, then rename it.
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
  // Other lines, and the order of the two streams, do not matter here.
  for (let lines = 0; address === undefined && lines < 5; lines++) address = /^Quire is ready at (\S+)$/.exec(await next())?.[1]
  const line = async (): Promise<string> => {
    const printed = await next()
    return /^(Development:|GraphiQL is not built)/.test(printed) ? line() : printed.replace(/ in \d+ ms:/, ' in N ms:')
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

test('a save is served on the same port; documents in memory stay, and their snapshots follow the schema', async () => {
  save('schema/zoo.graphql', keeper + copied('name'))
  const { line, ask } = await dev('--schema', 'schema', '--store', 'memory')
  await ask(fill)
  save('schema/zoo.graphql', keeper + copied('name', 'born'))
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await line()).toMatch(/^Memory store: recomputed 1 /)
  expect(await ask('query @read(from: SNAPSHOT) { cage(id: "c") { keeper { name born } } }')).toEqual({ cage: { keeper: { name: 'Ann', born: 1980 } } })
})

test('no reference in memory is emptied while the schema is only half changed', async () => {
  save('schema/zoo.graphql', keeper + cage('keeper: Keeper @reference(at: "keeperId")'))
  const { line, ask } = await dev('--schema', 'schema', '--store', 'memory')
  await ask(fill)
  save('schema/zoo.graphql', keeper.replace('"keepers"', '"staff"') + cage('keeper: Keeper @reference(at: "keeperId")'))
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await line()).toMatch(/^Memory store not repaired.*one reference.*Cage\.keeper of c .*Keeper k/)
  save('schema/zoo.graphql', keeper + cage('keeper: Keeper @reference(at: "keeperId")'))
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await ask('{ cage(id: "c") { keeper { name } } }')).toEqual({ cage: { keeper: { name: 'Ann' } } })
})

test('an invalid save prints all errors, and the old schema is served until the next valid save', async () => {
  save('schema/zoo.graphql', keeper)
  save('quire.config.json', '{ "schema": "schema", "store": "sqlite:zoo.db" }')
  const { process: started, line, ask } = await dev()
  save('schema/zoo.graphql', 'type Keeper @document(container: "keepers") { name: String! tags: [String!]! }')
  expect(await line()).toMatch(/^Not reloaded: zoo\.graphql changed\./)
  expect(await line()).toMatch(/^The schema cannot be served/)
  expect(await line()).toMatch(/^ {2}- zoo\.graphql:1:6: Keeper\b.*id: ID!/)
  expect(await line()).toMatch(/^ {2}- zoo\.graphql:1:61: Keeper\.tags\b/)
  expect(await ask('mutation { createKeeper(input: { id: "k", name: "Ann" }) { keeper { name } } }')).toEqual({ createKeeper: { keeper: { name: 'Ann' } } })

  save('schema/zoo.graphql', keeper)
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  save('schema/derive.ts', 'export const derive = { Keeper: { label: ({ name }: { name: string }): string => `${name} one` } }')
  expect(await line()).toBe('Reloaded in N ms: derive.ts added.')
  save('schema/zoo.graphql', 'type Keeper @document(container: "keepers") { id: ID! name: String! @indexed label: String! @derived }')
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await line()).toMatch(/"quire check --repair"/)
  expect(await ask('{ keepers(filter: { name: { eq: "Ann" } }) { nodes { label } } }')).toEqual({ keepers: { nodes: [{ label: 'Ann one' }] } })
  save('schema/derive.ts', 'export const derive = { Keeper: { label: ({ name }: { name: string }): string => `${name} two` } }')
  expect(await line()).toBe('Reloaded in N ms: derive.ts changed.')
  expect(await ask('{ keeper(id: "k") { label } }')).toEqual({ keeper: { label: 'Ann two' } })

  save('schema/resolvers.js', 'export const resolvers = { Keeper: { label: () => "Resolved" } }')
  expect(await line()).toBe('Reloaded in N ms: resolvers.js added.')
  expect(await ask('{ keeper(id: "k") { label } }')).toEqual({ keeper: { label: 'Resolved' } })

  save('quire.config.json', '{ "schema": "schema", "stroe": "memory" }')
  expect(await line()).toMatch(/^Not reloaded: quire\.config\.json changed\./)
  expect(await line()).toMatch(/^quire\.config\.json: .*"stroe".*"store"/)

  // A folder that is removed and created again is watched again.
  renameSync(join(folder, 'schema'), join(folder, 'away'))
  expect(await line()).toMatch(/^Not reloaded: derive\.ts removed, resolvers\.js removed, zoo\.graphql removed\./)
  expect(await line()).toMatch(/^quire\.config\.json: .*"stroe".*"store"/)
  save('quire.config.json', '{ "schema": "away", "store": "sqlite:zoo.db" }')
  expect(await line()).toBe('Reloaded in N ms: quire.config.json changed.')
  save('away/more.graphql', 'type House @document(container: "houses") { id: ID! }')
  expect(await line()).toBe('Reloaded in N ms: more.graphql added.')
  expect(await ask('{ houses { totalCount } keepers { totalCount } }')).toEqual({ houses: { totalCount: 0 }, keepers: { totalCount: 1 } })

  const closed = once(started, 'close')
  started.kill('SIGINT')
  expect(await closed).toEqual([0, null])
})
