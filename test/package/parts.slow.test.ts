// The packed package: how large it is, what its parts load, and those that work without the rest of Quire.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startCosmosEmulator } from '../../src/emulator/cosmos-emulator.ts'
import { environment, packed, repository, run as runIn } from './packed.ts'

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }

let project: string
let root: string
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'quire-parts-'))
  root = join(project, 'node_modules/quire-graphql')
  const tarball = await packed()
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }))
  run('npm', ['i', '--prefer-offline', '--no-audit', '--no-fund', tarball, `graphql@${dependencies['graphql']}`])
}, 300_000)
afterAll(() => rmSync(project, { recursive: true, force: true }))

test('it is as large as docs/install.md says', () => {
  const [, packages, all, own] = /(\d+) packages, (\d+) MB[\s\S]*?Quire takes (\d+) MB/.exec(readFileSync('docs/install.md', 'utf8')) ?? []
  const { packages: installed } = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8')) as { packages: Record<string, object> }
  expect(Object.keys(installed).length).toBe(Number(packages))
  for (const [folder, stated] of [['node_modules', all], ['node_modules/quire-graphql', own]] as const) {
    const megabytes = Number(run('du', ['-sk', folder]).split('\t')[0]) / 1024
    expect(Math.abs(megabytes - Number(stated)) / megabytes, folder).toBeLessThan(0.1)
  }
})

test('it has the pages that its messages name', () => {
  const named = new Set(files('.js').flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\bdocs\/[\w-]+\.md/g) ?? []))
  expect(named.size).toBeGreaterThan(0)
  expect([...named].filter((page) => !existsSync(join(root, page)))).toEqual([])
})

test('its pages link to nothing that it lacks', () => {
  const pages = files('.md')
  const broken = pages.flatMap((page) => [...readFileSync(join(root, page), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/\]\(([^)\s#]+)/g)]
    .filter(([, link]) => !/^https?:/.test(link!) && !existsSync(join(root, dirname(page), link!))).map(([, link]) => `${page}: ${link}`))
  expect(pages).toContain('docs/mounting.md')
  expect(broken).toEqual([])
})

test('all compiled code has a source map that contains its source', () => {
  const compiled = files('.js').filter((file) => /^(?:src|schema|examples|test)\//.test(file))
  expect(compiled.length).toBeGreaterThan(300)
  for (const file of compiled) {
    const source = file.replace(/js$/, 'ts')
    expect(readFileSync(join(root, file), 'utf8')).toContain(`//# sourceMappingURL=${basename(file)}.map`)
    expect(JSON.parse(readFileSync(join(root, `${file}.map`), 'utf8'))).toMatchObject({ sources: [basename(source)], sourcesContent: [readFileSync(source, 'utf8')] })
  }
})

test('stack traces name the lines of the source with --enable-source-maps', () => {
  const code = "const { createChangeFeedProcessor } = await import('quire-graphql/cosmos/change-feed'); try { createChangeFeedProcessor({ processorName: '' }) } catch (error) { console.log(error.stack) }"
  const [, file, line] = /quire-graphql\/(src\S+?\.ts):(\d+)/.exec(run(process.execPath, ['--enable-source-maps', '--input-type=module', '-e', code])) ?? []
  expect(readFileSync(file!, 'utf8').split('\n')[Number(line) - 1]).toContain('throw new ConfigError(')
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

test.each(['read-many', 'change-feed'])('quire-graphql/cosmos/%s loads neither a server nor GraphQL', (entry) => {
  const loaded = loadedBy(`await import('quire-graphql/cosmos/${entry}')`)
  expect(loaded).toContain('quire-graphql')
  expect(loaded.filter((name) => /^graphql$|yoga|graphql-tools|pino|opentelemetry|jose/.test(name))).toEqual([])
})

test('without a key and without @azure/identity, it says what to install', () => {
  const code = "const { openCosmosStore } = await import('quire-graphql/cosmos'); await openCosmosStore({ endpoint: 'https://zoo.documents.azure.com', database: 'zoo', create: false }, []).catch((error) => console.log(error.name, error.message))"
  expect(run(process.execPath, ['--input-type=module', '-e', code])).toMatch(/^SetupError .*npm i @azure\/identity/)
})

test.each([['read-many.ts', /^50 found, 10 missing, 1225 in total$/m], ['change-feed.ts', /^50 orders invoiced$/m]])('examples/cosmos/%s runs', async (file, printed) => {
  const server = await startCosmosEmulator()
  cpSync(join(repository, 'examples/cosmos', file), join(project, file))
  const started = spawn(process.execPath, [file], { cwd: project, env: { ...environment(), COSMOS_ENDPOINT: server.endpoint, COSMOS_KEY: server.key }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, complaints] = await Promise.all([text(started.stdout), text(started.stderr)])
  await server.close()
  expect(out, complaints).toMatch(printed)
})

test('its emulator of Cosmos DB serves a plain script of the SDK in an empty project, which loads nothing of Quire', async () => {
  const emulator = spawn(process.execPath, ['node_modules/quire-graphql/bin/quire.js', 'cosmos-emulator', '--port', '0'], { cwd: project, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void emulator.kill())
  const [line] = (await once(emulator.stdout.setEncoding('utf8'), 'data')) as [string]
  const [, endpoint, key] = /at (http:\S+), .* Key: (\S+)/.exec(line) ?? []
  const empty = mkdtempSync(join(tmpdir(), 'quire-empty-'))
  onTestFinished(() => rmSync(empty, { recursive: true, force: true }))
  mkdirSync(join(empty, 'node_modules'))
  symlinkSync(join(project, 'node_modules/@azure'), join(empty, 'node_modules/@azure'))
  cpSync(join(repository, 'test/emulator/sdk-script.mjs'), join(empty, 'script.mjs'))
  expect(run(process.execPath, [join(empty, 'script.mjs')], { COSMOS_ENDPOINT: endpoint!, COSMOS_KEY: key! })).toBe('16 kinds of calls work\n')
})

test('quire-graphql/testing loads the emulator only when one is started', () => {
  writeFileSync(join(project, 'files.mjs'), "import { registerHooks } from 'node:module'\nregisterHooks({ load(url, context, next) { if (url.includes('/src/emulator/')) console.log(url); return next(url, context) } })")
  expect(emulatorFilesOf("await import('quire-graphql/testing'); await import('quire-graphql/cosmos'); await import('quire-graphql')")).toEqual([''])
  expect(emulatorFilesOf("const { startCosmosEmulator } = await import('quire-graphql/testing'); await (await startCosmosEmulator()).close()").length).toBeGreaterThan(20)
})

test('the conformance suite tests a store of the project', () => {
  for (const name of ['vitest', 'fast-check']) symlinkSync(join(repository, 'node_modules', name), join(project, 'node_modules', name))
  writeFileSync(join(project, 'store.test.js'), "import { openMemoryStore } from 'quire-graphql/memory'\nimport { conformance } from 'quire-graphql/testing/store'\nconformance('project', openMemoryStore, 5)\n")
  writeFileSync(join(project, 'vitest.config.js'), "export default { test: { include: ['store.test.js'], server: { deps: { inline: [/quire-graphql/] } } } }")
  expect(run(process.execPath, [join(repository, 'node_modules/vitest/vitest.mjs'), 'run', '--no-color'])).toMatch(/Tests .*\d\d passed/)
})

/** The files of the emulator that a program loads. */
function emulatorFilesOf(code: string): string[] {
  return run(process.execPath, ['--import', './files.mjs', '--input-type=module', '-e', code]).trim().split('\n')
}

/** The packages that a program loads. */
function loadedBy(code: string): string[] {
  writeFileSync(join(project, 'loads.mjs'), `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({ load(url, context, next) { loaded.add(/.*node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1]); return next(url, context) } })
    process.on('exit', () => console.log(JSON.stringify([...loaded].filter(Boolean))))`)
  return JSON.parse(run(process.execPath, ['--import', './loads.mjs', '--input-type=module', '-e', code]).trim().split('\n').at(-1)!) as string[]
}

/** Those of the installed package. */
function files(ending: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending) && !file.startsWith('node_modules'))
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): string {
  return runIn(command, args, project, env)
}
