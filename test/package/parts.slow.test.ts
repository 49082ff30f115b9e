// The packed package: how large it is, what its parts load, and those that work without the rest of Quire.

import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCosmosServer } from '../store/cosmos/server/server.ts'
import { environment, packed, repository, run as runIn } from './packed.ts'

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }

let project: string
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'quire-parts-'))
  const tarball = await packed()
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }))
  run('npm', ['i', '--prefer-offline', '--no-audit', '--no-fund', tarball, `graphql@${dependencies['graphql']}`])
}, 300_000)
afterAll(() => rmSync(project, { recursive: true, force: true }))

test('it is as large as docs/install.md says', () => {
  const [, packages, megabytes] = /(\d+) packages, (\d+) MB/.exec(readFileSync('docs/install.md', 'utf8')) ?? []
  const { packages: installed } = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8')) as { packages: Record<string, object> }
  expect(Object.keys(installed).length).toBe(Number(packages))
  const measured = Number(run('du', ['-sk', 'node_modules']).split('\t')[0]) / 1024
  expect(Math.abs(measured - Number(megabytes)) / measured).toBeLessThan(0.1)
})

test('it has the pages that its messages name', () => {
  const root = join(project, 'node_modules/quire-graphql')
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  const named = new Set(sources.flatMap((file) => readFileSync(join(root, 'src', file), 'utf8').match(/\bdocs\/[\w-]+\.md/g) ?? []))
  expect(named.size).toBeGreaterThan(0)
  expect([...named].filter((page) => !existsSync(join(root, page)))).toEqual([])
})

test.each([
  ['the main entry', "await import('quire-graphql')"],
  ['a SQLite gateway in production', `
    const { createGateway } = await import('quire-graphql')
    const { openSqliteStore } = await import('quire-graphql/sqlite')
    const gateway = await createGateway({ typeDefs: 'type Beast @document(container: "beasts") { id: ID! }', openReads: true, store: (layout) => openSqliteStore(':memory:', layout) })
    await gateway.dispose()`],
])('%s loads neither @azure, jose, prom-client nor prompts', (_, code) => {
  const loaded = loadedBy(code)
  expect(loaded).toContain('graphql-yoga')
  expect(loaded.filter((name) => /^(@azure|@typespec|@clack)\/|^(jose|prom-client|commander)$/.test(name))).toEqual([])
})

test.each(['read-many', 'change-feed'])('quire-graphql/cosmos/%s loads no server', (entry) => {
  const loaded = loadedBy(`await import('quire-graphql/cosmos/${entry}')`)
  expect(loaded).toContain('quire-graphql')
  expect(loaded.filter((name) => /yoga|graphql-tools|pino|opentelemetry|jose/.test(name))).toEqual([])
})

test('without a key and without @azure/identity, it says what to install', () => {
  const code = "const { openCosmosStore } = await import('quire-graphql/cosmos'); await openCosmosStore({ endpoint: 'https://zoo.documents.azure.com', database: 'zoo', create: false }, []).catch((error) => console.log(error.name, error.message))"
  expect(run(process.execPath, ['--input-type=module', '-e', code])).toMatch(/^SetupError .*npm i @azure\/identity/)
})

test.each([['read-many.ts', /^50 found, 10 missing, 1225 in total$/m], ['change-feed.ts', /^50 orders invoiced$/m]])('examples/cosmos/%s runs', async (file, printed) => {
  const server = await startCosmosServer()
  cpSync(join(repository, 'examples/cosmos', file), join(project, file))
  const started = spawn(process.execPath, [file], { cwd: project, env: { ...environment(), COSMOS_ENDPOINT: server.endpoint, COSMOS_KEY: server.key }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, complaints] = await Promise.all([text(started.stdout), text(started.stderr)])
  await server.close()
  expect(out, complaints).toMatch(printed)
})

test('the conformance suite tests a store of the project', () => {
  for (const name of ['vitest', 'fast-check']) symlinkSync(join(repository, 'node_modules', name), join(project, 'node_modules', name))
  writeFileSync(join(project, 'store.test.js'), "import { openMemoryStore } from 'quire-graphql/memory'\nimport { conformance } from 'quire-graphql/testing/store'\nconformance('project', openMemoryStore, 5)\n")
  writeFileSync(join(project, 'vitest.config.js'), "export default { test: { include: ['store.test.js'], server: { deps: { inline: [/quire-graphql/] } } } }")
  expect(run(process.execPath, [join(repository, 'node_modules/vitest/vitest.mjs'), 'run', '--no-color'])).toMatch(/Tests .*\d\d passed/)
})

/** The packages that a program loads. */
function loadedBy(code: string): string[] {
  writeFileSync(join(project, 'loads.mjs'), `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({ load(url, context, next) { loaded.add(/.*node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1]); return next(url, context) } })
    process.on('exit', () => console.log(JSON.stringify([...loaded].filter(Boolean))))`)
  return JSON.parse(run(process.execPath, ['--import', './loads.mjs', '--input-type=module', '-e', code]).trim().split('\n').at(-1)!) as string[]
}

function run(command: string, args: readonly string[]): string {
  return runIn(command, args, project)
}
