// `quire init`: Quire can serve every choice at once, and existing files stay. test/package compiles and tests what it writes.

import { execSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { getOperationAST, parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runInit } from '../../src/cli/init/init.ts'
import { readConfig } from '../../src/config/config.ts'
import { settledEnvironment } from '../../src/config/config-file.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { openGateway } from '../../src/serve/open-gateway.ts'
import { openLog } from '../../src/serve/open-log.ts'
import { linkPackage } from './link-package.ts'
import { linesFrom, quire, startQuire } from './quire.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-init-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

/** What it prints, kept instead of printed. */
function captureOutput(): { out: string[]; err: string[] } {
  const printed = { out: [] as string[], err: [] as string[] }
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.out.push(line))
  vi.spyOn(console, 'error').mockImplementation((line: string) => void printed.err.push(line))
  return printed
}

/** Runs every operation that came with the schema, on a gateway with the settings that came with it. */
async function firstSteps(): Promise<unknown[]> {
  const config = readConfig(await settledEnvironment({ NODE_ENV: 'development' }, {}, folder))
  const gateway = await openGateway(config, await readSchemaFolder(config.schemaFolder), openLog(config))
  const text = readFileSync(join(folder, 'schema/operations/first-steps.graphql'), 'utf8')
  const names = parse(text).definitions.map((node) => getOperationAST({ kind: parse(text).kind, definitions: [node] })!.name!.value)
  const answers: unknown[] = []
  for (const operationName of names) {
    const response = await gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json', 'quire-trace': '0' }, body: JSON.stringify({ query: text, operationName }) })
    answers.push(await response.json())
  }
  // The landing page shows the operations that GraphiQL opens with, and needs no build.
  const page = await (await gateway.fetch('http://quire/')).text()
  for (const name of names) expect(page).toContain(` ${name} {`)
  await gateway.dispose()
  return answers
}

const projectFiles = [
  '.gitignore', '.graphqlrc.yml', '.npmrc', 'README.md', 'package.json', 'quire.config.ts', 'schema/derive.ts', 'schema/documents.ts', 'schema/operations/first-steps.graphql',
  'schema/quire.generated.graphql', 'schema/quire.generated.ts', 'schema/resolvers.ts', 'schema/schema.graphql', 'schema/schema.test.ts', 'tsconfig.json',
]

function writtenFiles(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name))).toSorted()
}

describe('Quire serves the written project, and its first steps work', () => {
  test.each([['reference', 'Article,Writer', 'sqlite:.quire/documents.db'], ['reverse', 'Story,Class', 'memory'], ['snapshot', 'OrderLine,Order', 'memory']])('%s, %s, %s', async (relation, types, store) => {
    const printed = captureOutput()
    expect(await runInit(folder, { relation, types, store, port: '4321', yes: true })).toBe(0)
    expect(printed.err).toEqual([])
    expect(writtenFiles()).toEqual(projectFiles)
    for (const file of projectFiles) expect(printed.out[0]).toContain(file)
    linkPackage(folder)
    expect(await writtenConfig()).toEqual({ schema: 'schema', store, port: 4321 })
    const [first, second] = types.split(',').map((name) => name.charAt(0).toLowerCase() + name.slice(1)) as [string, string]
    const several = first === 'story' ? 'stories' : `${first}s`
    const [firstType, secondType] = types.split(',') as [string, string]
    const node = (title: string, slug: string, name: string) => ({ title, slug, [second]: { name } })
    expect(await firstSteps()).toEqual([
      { data: { [several]: { nodes: [node('A first compiler', 'a-first-compiler', 'Grace'), node('Bugs, and moths', 'bugs-and-moths', 'Grace'), node('Can machines think?', 'can-machines-think-', 'Alan')] } } },
      { data: { [`add${firstType}With${secondType}`]: { [first]: { id: expect.any(String), title: 'First steps' }, [second]: { id: expect.any(String), name: 'Ada' } } } },
      { data: { [`update${secondType}`]: { [second]: { name: 'Grace Hopper' } } } },
    ])
    expect(await quire(['codegen', '--check'], { cwd: folder })).toEqual({ code: 0, out: [], err: [] })
  })

  test('quire dev serves it with no settings but the config file, and quire check finds nothing wrong with its documents', async () => {
    expect(await quire(['init', folder, '--port', '0'])).toMatchObject({ code: 0, err: [] })
    linkPackage(folder)
    const started = startQuire(['dev'], { cwd: folder })
    const line = linesFrom(started)
    let address: string | undefined
    for (let lines = 0; address === undefined && lines < 5; lines++) address = /^Quire is ready at (\S+)$/.exec(await line())?.[1]
    const response = await fetch(address!, { method: 'POST', headers: { 'content-type': 'application/json', 'quire-trace': '0' }, body: JSON.stringify({ query: '{ articles { totalCount } }' }) })
    expect(await response.json()).toEqual({ data: { articles: { totalCount: 3 } } })
    const closed = once(started, 'close')
    started.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
    expect(await quire(['check'], { cwd: folder })).toMatchObject({ code: 0 })
  })

  test('it depends on what the checkout builds, and on the releases that Quire itself is tested with', async () => {
    captureOutput()
    expect(await runInit(folder, { yes: true })).toBe(0)
    const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<'dependencies' | 'devDependencies', Record<string, string>> & { name: string }
    expect(name).toBe(basename(folder).toLowerCase())
    expect(resolve(folder, dependencies['quire-graphql']!.replace('file:', ''))).toBe(resolve('dist'))
    const own = JSON.parse(readFileSync('package.json', 'utf8')) as Record<'dependencies' | 'devDependencies', Record<string, string>>
    for (const [each, version] of Object.entries({ graphql: dependencies['graphql']!, ...devDependencies })) expect(major(version)).toBe(major({ ...own.dependencies, ...own.devDependencies }[each]!))
  })
})

function major(version: string): string {
  return version.replace(/^\^/, '').split('.')[0]!
}

/** A distinctive part of each question. */
const questions = { type: 'document types called?', target: 'refer to?', relation: 'How should', store: 'Where should', account: 'Which Azure account?', port: 'Which port' }

/** Answers each question with the given keys, and with the return key by default. */
async function answered(keys: Readonly<Record<string, string>>, options: object = {}): Promise<{ code: number; shown: string }> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 200, rows: 40 })
  let shown = ''
  const asked = new Set<string>()
  output.on('data', (chunk) => {
    shown += String(chunk)
    for (const question of Object.values(questions)) {
      if (!shown.includes(question) || asked.has(question)) continue
      asked.add(question)
      setImmediate(() => input.write(keys[question] ?? '\r'))
    }
  })
  return { code: await runInit(folder, options, { input, output }), shown }
}

/** The settings in the config file, which imports the package. */
async function writtenConfig(): Promise<unknown> {
  if (!existsSync(join(folder, 'node_modules'))) linkPackage(folder)
  return ((await import(/* @vite-ignore */ pathToFileURL(join(folder, 'quire.config.ts')).href)) as { default: unknown }).default
}

describe('questions', () => {
  const wipe = '\u007F'.repeat(20)
  const down = '\u001B[B'

  test('the return key chooses the same defaults as --yes', async () => {
    captureOutput()
    expect(await answered({})).toMatchObject({ code: 0 })
    const written = Object.fromEntries(projectFiles.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
    expect(await runInit(folder, { yes: true, force: true })).toBe(0)
    for (const [name, text] of Object.entries(written)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
  })

  test('the answers decide names and store, and options are not asked again', async () => {
    captureOutput()
    const { code, shown } = await answered({ [questions.type]: `${wipe}Order\r`, [questions.target]: `${wipe}Customer\r`, [questions.store]: `${down}\r` }, { relation: 'reference', port: '4001' })
    expect(code).toBe(0)
    expect(shown).not.toContain(questions.relation)
    expect(shown).not.toContain(questions.port)
    expect(await writtenConfig()).toEqual({ schema: 'schema', store: 'memory', port: 4001 })
    expect(readFileSync(join(folder, 'schema/schema.graphql'), 'utf8')).toContain('customer: Customer! @reference(at: "customerId")')
  })

  test('the store cosmos asks for an Azure account', async () => {
    captureOutput()
    const { code } = await answered({ [questions.store]: `${down}${down}${down}\r`, [questions.account]: 'https://mine.documents.azure.com\r' })
    expect(code).toBe(0)
    expect(await writtenConfig()).toEqual({ schema: 'schema', store: 'cosmos', cosmosEndpoint: 'https://mine.documents.azure.com', port: 4000 })
  })

  test('Ctrl-C exits with 130 and writes nothing', async () => {
    const printed = captureOutput()
    expect(await answered({ [questions.store]: '\u0003' })).toMatchObject({ code: 130 })
    expect(printed).toEqual({ out: [], err: [expect.stringMatching(/^Stopped\. Nothing was written/)] })
    expect(readdirSync(folder)).toEqual([])
  })
})

test('a schema and a config file that exist stay unless --force is given', async () => {
  const printed = captureOutput()
  writeFileSync(join(folder, 'quire.config.json'), '{ "port": 1 }')
  expect(await runInit(folder, { yes: true })).toBe(2)
  expect(printed.err).toEqual([expect.stringMatching(new RegExp(`${folder}.*quire\\.config\\.json.*--force`))])
  expect(writtenFiles()).toEqual(['quire.config.json'])
  expect(await runInit(folder, { yes: true, force: true })).toBe(0)
  expect(writtenFiles()).toEqual(projectFiles)
})

test('files of an existing project are always kept, and the next step installs Quire there', async () => {
  const printed = captureOutput()
  for (const file of ['package.json', 'README.md']) writeFileSync(join(folder, file), '{}')
  expect(await runInit(folder, { yes: true, force: true })).toBe(0)
  for (const file of ['package.json', 'README.md']) expect(readFileSync(join(folder, file), 'utf8')).toBe('{}')
  expect(printed.out[1]).toBe('Kept: README.md, package.json.')
  expect(printed.out.join('\n')).toMatch(/npm install graphql@\S+ file:\S+/)
})

test('the printed commands make a project that runs of a package.json that npm wrote', async () => {
  const printed = captureOutput()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'own', type: 'commonjs', scripts: { test: 'echo "Error: no test specified" && exit 1', start: 'node .' }, dependencies: { graphql: '^16.0.0' } }))
  expect(await runInit(folder, { yes: true })).toBe(0)
  expect(printed.out[2]).toMatch(/^package\.json lacks "type": "module", scripts \(dev, codegen, check, test\), dependencies \(quire-graphql, @types\/node, typescript\)\./)
  const commands = printed.out.filter((line) => line.startsWith('  npm ') && !line.includes('run ')).map((line) => line.trim())
  expect(commands).toEqual([expect.stringMatching(/^npm pkg set type=module /), expect.stringMatching(/^npm install --save-dev @types\/node@\S+ typescript@\S+$/), expect.stringMatching(/^npm install file:\S+$/)])
  execSync(commands[0]!, { cwd: folder, stdio: 'ignore' })
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual({
    name: 'own', type: 'module', dependencies: { graphql: '^16.0.0' },
    scripts: { start: 'node .', dev: 'quire dev', codegen: 'quire codegen', check: 'quire codegen --check && tsc', test: 'node --test' },
  })
  linkPackage(folder)
  expect(await quire(['codegen', '--check'], { cwd: folder })).toEqual({ code: 0, out: [], err: [] })
})

test('a package.json that has everything needs no other command than npm install', async () => {
  const printed = captureOutput()
  expect(await runInit(folder, { yes: true })).toBe(0)
  printed.out.length = 0
  expect(await runInit(folder, { yes: true, force: true })).toBe(0)
  expect(printed.out.join('\n')).not.toMatch(/lacks|pkg set|save-dev/)
  expect(printed.out).toContain('  npm install')
})

test('a package.json that is not JSON, and a file in place of a folder, are reported before anything is written', async () => {
  const printed = captureOutput()
  writeFileSync(join(folder, 'package.json'), '{')
  expect(await runInit(folder, { yes: true })).toBe(2)
  expect(await runInit(join(folder, 'package.json'), { yes: true })).toBe(2)
  rmSync(join(folder, 'package.json'))
  writeFileSync(join(folder, 'schema'), '')
  expect(await runInit(folder, { yes: true, force: true })).toBe(2)
  expect(printed.err).toEqual([/package\.json is not a JSON object/, /package\.json is a file.*another folder/, /schema is a file.*another folder/].map((line) => expect.stringMatching(line) as unknown))
  expect(writtenFiles()).toEqual(['schema'])
})

test.skipIf(process.platform === 'win32')('the printed path of the folder is quoted for the shell', async () => {
  const odd = join(folder, 'x 23 @odd\'name"q')
  const printed = captureOutput()
  expect(await runInit(odd, { yes: true })).toBe(0)
  const cd = printed.out.find((line) => line.startsWith('  cd '))!
  expect(execSync(`${cd} && pwd -P`, { encoding: 'utf8' }).trim()).toBe(realpathSync(odd))
})

test('an Azure account gets no sample documents', async () => {
  captureOutput()
  expect(await runInit(folder, { yes: true, store: 'cosmos', endpoint: 'https://mine.documents.azure.com' })).toBe(0)
  expect(writtenFiles()).toEqual(projectFiles.filter((file) => file !== 'schema/documents.ts'))
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).not.toContain('documents.ts')
})

test.each([
  [{ types: 'article,Writer' }, /^--types is "article".*capital.*Article/],
  [{ types: 'Article,Article' }, /^--types is "Article,Article".*Article,Writer/],
  [{ types: 'PageConnection,Page' }, /^--types is "PageConnection".*Article/],
  [{ types: 'Article,Title' }, /Article and Title.*"Article\.title"/],
  [{ types: 'Query,Page' }, /Query and Page.*"Query"/],
  [{ relation: 'joined' }, /^--relation is "joined".*reference, reverse or snapshot/],
  [{ store: 'mongo' }, /^--store is "mongo".*memory, sqlite:PATH, .* or .*/],
  [{ store: 'cosmos' }, /--endpoint.*https:\/\/NAME\.documents\.azure\.com/],
  [{ endpoint: 'https://mine.documents.azure.com' }, /^--endpoint is .*--store cosmos/],
  [{ port: 'http' }, /^--port is "http".*0 to 65535/],
])('%o is rejected and nothing is written', async (options, line) => {
  const printed = captureOutput()
  expect(await runInit(folder, { ...options, yes: true })).toBe(2)
  expect(printed).toEqual({ out: [], err: [expect.stringMatching(line)] })
  expect(readdirSync(folder)).toEqual([])
})
