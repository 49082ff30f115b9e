// `quire init`: Quire can serve every choice at once, and existing files stay.

import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { getOperationAST, parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runInit } from '../../src/cli/init/init.ts'
import { readConfig } from '../../src/config/config.ts'
import { settledEnvironment } from '../../src/config/config-file.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { openGateway, openLog } from '../../src/serve/open-gateway.ts'
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

describe('Quire serves the written schema and its first steps work', () => {
  test.each([['reference', 'Article,Writer', 'sqlite:.quire/documents.db'], ['reverse', 'Story,Class', 'memory'], ['snapshot', 'OrderLine,Order', 'memory']])('%s, %s, %s', async (relation, types, store) => {
    const printed = captureOutput()
    expect(await runInit(folder, { relation, types, store, port: '4321', yes: true })).toBe(0)
    expect(printed).toEqual({ err: [], out: [
      expect.stringContaining(`${folder}: schema/schema.graphql, quire.config.json, schema/operations/first-steps.graphql`), 'Next:', `  cd ${folder}`,
      expect.stringMatching(/^ {2}quire dev /), expect.stringMatching(/^ {2}schema\/operations /),
    ] })
    expect(JSON.parse(readFileSync(join(folder, 'quire.config.json'), 'utf8'))).toEqual({ schema: 'schema', store, port: 4321 })
    const [first, second] = types.split(',').map((name) => name.charAt(0).toLowerCase() + name.slice(1)) as [string, string]
    const several = first === 'story' ? 'stories' : `${first}s`
    expect(await firstSteps()).toEqual([
      { data: { [`create${types.split(',')[1]}`]: { [second]: { id: 'w1', name: 'Ada' } }, [`create${types.split(',')[0]}`]: { [first]: { id: 'a1', title: 'First steps' } } } },
      { data: { [several]: { nodes: [{ title: 'First steps', [second]: { name: 'Ada' } }] } } },
      { data: { [`update${types.split(',')[1]}`]: { [second]: { name: 'Ada Lovelace' } } } },
    ])
  })

  test('quire dev serves it with no settings but the config file', async () => {
    expect(await quire(['init', folder, '--store', 'memory', '--port', '0'])).toMatchObject({ code: 0, err: [] })
    const started = startQuire(['dev'], { cwd: folder })
    const line = linesFrom(started)
    let address: string | undefined
    for (let lines = 0; address === undefined && lines < 5; lines++) address = /^Quire is ready at (\S+)$/.exec(await line())?.[1]
    const response = await fetch(address!, { method: 'POST', headers: { 'content-type': 'application/json', 'quire-trace': '0' }, body: JSON.stringify({ query: '{ articles { totalCount } }' }) })
    expect(await response.json()).toEqual({ data: { articles: { totalCount: 0 } } })
    const closed = once(started, 'close')
    started.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
  })
})

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

function writtenConfig(): unknown {
  return JSON.parse(readFileSync(join(folder, 'quire.config.json'), 'utf8'))
}

describe('questions', () => {
  const wipe = '\u007F'.repeat(20)
  const down = '\u001B[B'

  test('the return key chooses the same defaults as --yes', async () => {
    captureOutput()
    expect(await answered({})).toMatchObject({ code: 0 })
    const written = Object.fromEntries(['schema/schema.graphql', 'quire.config.json', 'schema/operations/first-steps.graphql'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
    expect(await runInit(folder, { yes: true, force: true })).toBe(0)
    for (const [name, text] of Object.entries(written)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
  })

  test('the answers decide names and store, and options are not asked again', async () => {
    captureOutput()
    const { code, shown } = await answered({ [questions.type]: `${wipe}Order\r`, [questions.target]: `${wipe}Customer\r`, [questions.store]: `${down}\r` }, { relation: 'reference', port: '4001' })
    expect(code).toBe(0)
    expect(shown).not.toContain(questions.relation)
    expect(shown).not.toContain(questions.port)
    expect(writtenConfig()).toEqual({ schema: 'schema', store: 'memory', port: 4001 })
    expect(readFileSync(join(folder, 'schema/schema.graphql'), 'utf8')).toContain('customer: Customer! @reference(at: "customerId")')
  })

  test('the store cosmos asks for an Azure account', async () => {
    captureOutput()
    const { code } = await answered({ [questions.store]: `${down}${down}\r`, [questions.account]: 'https://mine.documents.azure.com\r' })
    expect(code).toBe(0)
    expect(writtenConfig()).toEqual({ schema: 'schema', store: 'cosmos', cosmosEndpoint: 'https://mine.documents.azure.com', port: 4000 })
  })

  test('Ctrl-C exits with 130 and writes nothing', async () => {
    const printed = captureOutput()
    expect(await answered({ [questions.store]: '\u0003' })).toMatchObject({ code: 130 })
    expect(printed).toEqual({ out: [], err: [expect.stringMatching(/^Stopped\. Nothing was written/)] })
    expect(readdirSync(folder)).toEqual([])
  })
})

test('existing files stay unless --force is given', async () => {
  const printed = captureOutput()
  writeFileSync(join(folder, 'quire.config.json'), '{ "port": 1 }')
  expect(await runInit(folder, { yes: true })).toBe(2)
  expect(printed.err).toEqual([expect.stringMatching(new RegExp(`${folder}.*quire\\.config\\.json.*--force`))])
  expect(readFileSync(join(folder, 'quire.config.json'), 'utf8')).toBe('{ "port": 1 }')
  expect(existsSync(join(folder, 'schema'))).toBe(false)
  expect(await runInit(folder, { yes: true, force: true })).toBe(0)
  expect(JSON.parse(readFileSync(join(folder, 'quire.config.json'), 'utf8'))).toMatchObject({ port: 4000 })
})

test.each([
  [{ types: 'article,Writer' }, /^--types is "article".*capital.*Article/],
  [{ types: 'Article,Article' }, /^--types is "Article,Article".*Article,Writer/],
  [{ types: 'PageConnection,Page' }, /^--types is "PageConnection".*Article/],
  [{ types: 'Article,Title' }, /Article and Title.*"Article\.title"/],
  [{ types: 'Query,Page' }, /Query and Page.*"Query"/],
  [{ relation: 'joined' }, /^--relation is "joined".*reference, reverse or snapshot/],
  [{ store: 'mongo' }, /^--store is "mongo".*memory, sqlite:PATH or cosmos/],
  [{ store: 'cosmos' }, /--endpoint.*https:\/\/NAME\.documents\.azure\.com/],
  [{ port: 'http' }, /^--port is "http".*0 to 65535/],
])('%o is rejected and nothing is written', async (options, line) => {
  const printed = captureOutput()
  expect(await runInit(folder, { ...options, yes: true })).toBe(2)
  expect(printed).toEqual({ out: [], err: [expect.stringMatching(line)] })
  expect(readdirSync(folder)).toEqual([])
})
