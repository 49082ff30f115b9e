// The generated parts of docs/modelling.md: declarations and documents as they are in the folders of the
// patterns, and what their operations cost when they are really run.

import { randomUUID } from 'node:crypto'
import { parse, type DefinitionNode } from 'graphql'
import { runExplain } from '../../src/cli/explain/explain.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { cell } from './savings.ts'
import { openCosmosStore } from '../../src/store/cosmos/cosmos-store.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { localServer } from '../store/cosmos/local.ts'
import { breakEvenTable, questionsTable } from './compared.ts'
import { jsonText } from './json-text.ts'
import { measure, type Measured } from './measure.ts'
import { readPattern, readPatterns, type Pattern } from './patterns.ts'

export async function modellingPart(part: string, name = '', ...words: string[]): Promise<string> {
  switch (part) {
    case 'sdl': return fenced('graphql', sdlOf(readPattern(name), words))
    case 'documents': return fenced('json', documentsOf(readPattern(name), words))
    case 'costs': return costsTable(readPattern(name))
    case 'spread': return spreadTable(Number(name), words)
    case 'refusals': return refusals(readPattern(name))
    case 'explained': return fenced('', await explained(readPattern(name), words[0]!))
    case 'decisions': return decisionsTable()
    case 'questions': return questionsTable()
    case 'break': return breakEvenTable()
    default: throw new Error(`docs/modelling.md has a part called ${part}, which nothing makes.`)
  }
}

/** All of a declaration, or only the named types. */
function sdlOf({ sdl }: Pattern, types: readonly string[]): string {
  if (types.length === 0) return sdl.trim()
  return parse(sdl).definitions.filter((node) => types.includes(nameOf(node))).map(({ loc }) => sdl.slice(loc!.start, loc!.end)).join('\n\n')
}

function nameOf(node: DefinitionNode): string {
  return 'name' in node ? (node.name?.value ?? '') : ''
}

/** Documents, each named by type and id: `Post/1`. */
function documentsOf({ folder, documents }: Pattern, named: readonly string[]): string {
  return named.map((each) => {
    const [type, id] = each.split('/')
    const document = documents[type!]?.find((one) => one['id'] === id)
    if (!document) throw new Error(`${folder} has no ${each}.`)
    return jsonText(document)
  }).join('\n')
}

async function costsTable(pattern: Pattern): Promise<string> {
  const rows = (await measured(pattern)).map((row) => `| ${linked(pattern, row)} | ${cell(row.made)} | ${cell(row.naive)} | ${writtenIn(row)} |`)
  return ['| operation | made | naive | documents written |', '|---|---|---|---|', ...rows].join('\n')
}

/** The same operation under several declarations, in containers of that many physical partitions. */
async function spreadTable(partitions: number, names: readonly string[]): Promise<string> {
  const rows: string[] = []
  for (const pattern of names.map(readPattern)) {
    const costs = await measured(pattern, partitions)
    if (costs.some(({ made, naive }) => cell(made) !== cell(naive))) throw new Error(`The guide says that ${pattern.name} costs the same the naive way.`)
    rows.push(`| [${titleOf(pattern)}](../${pattern.folder}) | ${costs.map(({ made }) => cell(made)).join(' | ')} |`)
  }
  return ['| key | one reading | all of a day or year | one reading more |', '|---|---|---|---|', ...rows].join('\n')
}

const known = new Map<string, Promise<Measured[]>>()

/** Each pattern once, in memory or in containers of that many physical partitions: several parts show the same figures. */
function measured(pattern: Pattern, partitions?: number): Promise<Measured[]> {
  const name = `${pattern.name} ${partitions ?? 'in memory'}`
  const measuring = known.get(name) ?? measure(pattern, partitions === undefined ? openMemoryStore : spreadOver(partitions))
  known.set(name, measuring)
  return measuring
}

/** A store of that many physical partitions, over Cosmos DB's own protocol: always on the test server, whose figures these are. */
function spreadOver(partitions: number): GatewayOptions['store'] {
  return async (layout) => {
    const { endpoint, key } = await localServer(partitions)
    return openCosmosStore({ endpoint, key, database: randomUUID(), create: true }, layout)
  }
}

async function refusals(pattern: Pattern): Promise<string> {
  const refused = (await measured(pattern)).filter((row) => row.refused !== undefined)
  return refused.map((row) => `- ${linked(pattern, row)}:\n  \`${row.refused}\``).join('\n')
}

async function explained({ folder }: Pattern, operation: string): Promise<string> {
  const lines: string[] = []
  const file = `${folder}/read.graphql`
  const code = await runExplain(file, { operation, store: false, json: false }, {
    env: { QUIRE_SCHEMA: folder }, read: () => readPattern(folder.split('/').at(-1)!).operations.find(({ name }) => name === operation)!.text,
    print: (line) => lines.push(line), printError: (line) => lines.push(line),
  })
  if (code !== 0) throw new Error(lines.join('\n'))
  return [`$ QUIRE_SCHEMA=${folder} npx quire explain ${file} --operation ${operation}`, ...lines.slice(0, lines.findLastIndex((line) => line === ''))].join('\n')
}

async function decisionsTable(): Promise<string> {
  const rows: string[] = []
  for (const pattern of readPatterns()) {
    const costs = await measured(pattern, /partitionKey: \{/.test(pattern.sdl) ? 16 : undefined)
    const read = costs.find(({ operation }) => !operation.writes)!
    const write = costs.find(({ operation }) => operation.writes)!
    rows.push(`| ${pattern.when} | [${pattern.advice}](../${pattern.folder}) | ${cell(read.made)} | ${cell(read.naive)} | ${cell(write.made)} | ${write.written} |`)
  }
  return ['| when | then | a read | naive | a write | documents written |', '|---|---|---|---|---|---|', ...rows].join('\n')
}

function linked({ folder }: Pattern, { operation: { file, says } }: Measured): string {
  return `[${says}](../${folder}/${file})`
}

function writtenIn({ operation, written, refused }: Measured): string {
  return refused === undefined ? (operation.writes ? `${written}` : '') : 'refused'
}

function titleOf({ name }: Pattern): string {
  return name.replace(/^\d+[a-z]?-/, '').replaceAll('-', ' ')
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}
