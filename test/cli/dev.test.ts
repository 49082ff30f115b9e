// `quire dev` as a process: it serves every valid save, prints the errors of the others, and loses no documents.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
  /** The landing page. */
  readonly page: () => Promise<string>
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
    return /^(Development mode:|GraphiQL is not built|\S+ WARN +The event loop was held)/.test(printed) ? line() : printed.replace(/ in \d+ ms:/, ' in N ms:')
  }
  return {
    process: started,
    line,
    page: async () => (await fetch(new URL('/', address))).text(),
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

test('no answer shows a snapshot in memory that the new schema has not filled yet', async () => {
  save('schema/zoo.graphql', keeper + copied('name'))
  const { line, ask } = await dev('--schema', 'schema', '--store', 'memory')
  await ask(fill)
  for (let batch = 0; batch < 20; batch++) {
    await ask(`mutation { ${Array.from({ length: 100 }, (_, index) => `c${index}: createCage(input: { id: "${batch}-${index}", keeperId: "k" }) { cage { id } }`).join(' ')} }`)
  }
  save('schema/zoo.graphql', keeper + copied('name', 'born'))
  const asked = async () => ask('{ cages(first: 50) { nodes { keeper { name born } } } }')
  const right = { cages: { nodes: Array.from({ length: 50 }, () => ({ keeper: { name: 'Ann', born: 1980 } })) } }
  const printed = (async () => [await line(), await line()])()
  const asking = new AbortController()
  void printed.then(() => asking.abort())
  while (!asking.signal.aborted) expect(await asked()).toEqual(right)
  expect(await asked()).toEqual(right)
  expect(await printed).toEqual(['Reloaded in N ms: zoo.graphql changed.', expect.stringMatching(/^Memory store: recomputed 2001 /)])
})

test('the last schema that fits is served while the documents do not fit the saved one, and the lines say why', async () => {
  save('schema/zoo.graphql', keeper + cage('keeper: Keeper @reference(at: "keeperId")'))
  const { line, ask, page } = await dev('--schema', 'schema', '--store', 'memory')
  await ask(fill)
  save('schema/zoo.graphql', keeper.replace('"keepers"', '"staff"') + cage('keeper: Keeper @reference(at: "keeperId")'))
  expect(await line()).toMatch(/^Not reloaded: zoo\.graphql changed\. The previous schema is served/)
  expect(await line()).toMatch(/do not fit/)
  expect(await line()).toMatch(/Keeper .*"keepers".*"staff"/)
  expect(await line()).toMatch(/quire migrate/)
  expect(await page()).toMatch(/<li>Keeper .*keepers.*staff.*<\/li>[\s\S]*quire migrate/)
  expect(await ask('{ cage(id: "c") { keeper { name } } }')).toEqual({ cage: { keeper: { name: 'Ann' } } })
  save('schema/zoo.graphql', keeper + cage('keeper: Keeper @reference(at: "keeperId")'))
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await ask('{ cage(id: "c") { keeper { name } } }')).toEqual({ cage: { keeper: { name: 'Ann' } } })
  expect(await page()).not.toContain('quire migrate')
})

const answer = (name: string, late: string, loads: number) => ({ keepers: { nodes: [{ label: `labelled ${name}` }] }, greeting: `Hello, ${late} ${name}`, loads })

test('the code of a schema folder, and every file that it imports, is loaded again when it is saved', async () => {
  mkdirSync(join(folder, 'lib'))
  save('schema/zoo.graphql', 'type Keeper @document(container: "keepers") { id: ID! label: String! @derived }\nextend type Query { greeting: String! loads: Int! }')
  save('schema/derive.ts', "import { label } from '../lib/label.ts'\nexport const derive = { Keeper: { label } }")
  save('schema/resolvers.ts', "import { greeting } from '../lib/greeting.ts'\nimport { loads } from '../lib/loads.ts'\nexport const resolvers = { Query: { greeting, loads: () => loads } }")
  save('schema/documents.ts', "import { keepers } from '../lib/keepers.ts'\nexport const documents = { Keeper: keepers }")
  save('lib/label.ts', "import { name } from './name.ts'\nimport './loads.ts'\nexport const label = (): string => `labelled ${name}`")
  save('lib/greeting.ts', "export const greeting = async (): Promise<string> => `Hello, ${(await import('./late.ts')).late} ${(await import('./name.ts')).name}`")
  save('lib/name.ts', "export const name: string = 'Ann'")
  save('lib/late.ts', "export const late: string = 'dear'")
  save('lib/keepers.ts', "export const keepers = [{ id: 'k' }]")
  // Counts how often it was evaluated, on an object that outlives each reload.
  save('lib/loads.ts', 'export const loads: number = Object.assign(process, { loads: ((process as { loads?: number }).loads ?? 0) + 1 }).loads')
  save('lib/port.ts', 'export const port = 0')
  save('quire.config.ts', "import { port } from './lib/port.ts'\nexport default { schema: 'schema', store: 'memory', port }")
  const { line, ask } = await dev()
  const asked = async () => ask('{ keepers { nodes { label } } greeting loads }')
  expect(await asked()).toEqual(answer('Ann', 'dear', 1))

  save('lib/name.ts', "export const name: string = 'Ben'")
  expect(await line()).toBe('Reloaded in N ms: lib/name.ts changed.')
  expect(await asked()).toEqual(answer('Ben', 'dear', 2))

  // Saving SDL alone leaves the code loaded.
  save('schema/zoo.graphql', '# Commented.\ntype Keeper @document(container: "keepers") { id: ID! label: String! @derived }\nextend type Query { greeting: String! loads: Int! }')
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
  expect(await asked()).toEqual(answer('Ben', 'dear', 2))

  // This one is imported by an answer.
  save('lib/late.ts', "export const late: string = 'old'")
  expect(await line()).toBe('Reloaded in N ms: lib/late.ts changed.')
  expect(await asked()).toEqual(answer('Ben', 'old', 3))

  rmSync(join(folder, 'lib/name.ts'))
  expect(await line()).toMatch(/^Not reloaded: lib\/name\.ts removed\./)
  expect(await line()).toMatch(/^The schema cannot be served/)
  expect(await line()).toMatch(/derive\.ts cannot be loaded.*name\.ts/)
  save('lib/name.ts', "export const name: string = 'Cal'")
  expect(await line()).toBe('Reloaded in N ms: lib/name.ts added.')
  expect(await asked()).toEqual(answer('Cal', 'old', 4))

  save('lib/keepers.ts', "export const keepers = [{ id: 'k2' }]")
  expect(await line()).toBe('Reloaded in N ms: lib/keepers.ts changed.')
  save('schema/documents.ts', 'export const documents = { Keeper: [] }')
  expect(await line()).toBe('Reloaded in N ms: documents.ts changed.')
  expect(await line()).toMatch(/^documents\.ts fills a new store.*Restart/)

  save('lib/port.ts', 'export const port = 1')
  expect(await line()).toBe('Reloaded in N ms: lib/port.ts changed.')
})

test('generated types follow the SDL, also while the code for it is missing', async () => {
  save('schema/zoo.graphql', keeper)
  const types = join(folder, 'schema/quire.generated.ts')
  writeFileSync(types, '')
  const { line } = await dev('--schema', 'schema', '--store', 'memory')
  expect(readFileSync(types, 'utf8')).toContain('KeeperDocument')
  // Only what the folder has is written again.
  expect(existsSync(join(folder, 'schema/quire.generated.graphql'))).toBe(false)
  save('schema/zoo.graphql', keeper.replace('born', 'label: String! @derived born'))
  expect(await line()).toBe('Wrote schema/quire.generated.ts.')
  expect(readFileSync(types, 'utf8')).toContain('label: (document: KeeperDocument) => string')
  expect(await line()).toMatch(/^Not reloaded/)
  expect(await line()).toMatch(/^The schema cannot be served/)
  expect(await line()).toMatch(/Keeper\.label/)
  save('schema/derive.ts', "import type { Derive } from './quire.generated.ts'\nexport const derive: Derive = { Keeper: { label: ({ name }) => name } }")
  expect(await line()).toBe('Reloaded in N ms: derive.ts added.')
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
  expect(await line()).toMatch(/^Not reloaded: derive\.ts added\./)
  expect(await line()).toMatch(/^The schema cannot be served/)
  expect(await line()).toMatch(/^ {2}- derive\.Keeper\.label: .*@derived/)
  save('schema/zoo.graphql', 'type Keeper @document(container: "keepers") { id: ID! name: String! @indexed label: String! @derived }')
  expect(await line()).toBe('Reloaded in N ms: zoo.graphql changed.')
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

test('a config file that is deleted is reported, and what it configured is served on', async () => {
  save('schema/zoo.graphql', keeper)
  save('quire.config.json', '{ "schema": "schema", "store": "memory" }')
  const { line, ask } = await dev()
  rmSync(join(folder, 'quire.config.json'))
  expect(await line()).toMatch(/^Not reloaded: quire\.config\.json removed\./)
  expect(await line()).toMatch(/^quire\.config\.json is gone\. .*restart/)
  expect(await ask('{ keepers { totalCount } }')).toEqual({ keepers: { totalCount: 0 } })
  expect(existsSync(join(folder, '.quire'))).toBe(false)
  save('quire.config.json', '{ "schema": "schema", "store": "memory", "strategy": "naive" }')
  expect(await line()).toMatch(/^Reloaded in N ms: quire\.config\.json added\.$/)
})
