// Runs a comparison: writes the same data into one memory store per schema, sends the same operations to a gateway
// over each, and takes the costs from the cost reports.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Kind, parse } from 'graphql'
import { ConfigError } from '../../errors.ts'
import { readDeclaration, type Declaration } from '../../relations/declaration.ts'
import type { Gateway } from '../../http/gateway-server.ts'
import { refusingResolvers } from '../../execute/check-resolvers.ts'
import { createGateway } from '../../gateway.ts'
import { noBudget } from '../../plan/cost/budget.ts'
import { noLimits } from '../../http/limits/request-limits.ts'
import { inputName } from '../../model/api/mutations.ts'
import { readSdl } from '../../model/sdl/read-sdl.ts'
import { openMemoryStore } from '../../store/memory/memory-store.ts'
import type { Store } from '../../store/store.ts'
import { jsonError } from '../../model/json/json-error.ts'
import { readJsonFile } from '../../model/json/json-file.ts'
import { Writer } from '../../write/writer.ts'
import { measureOperation, type OperationCost } from '../report/measure-operation.ts'

export interface Comparison {
  readonly size: number
  readonly questions: readonly Question[]
  readonly variants: readonly Variant[]
}

export interface Question {
  readonly operation: string
  readonly question: string
}

/** One schema for the same data. */
export interface Variant {
  readonly name: string
  readonly documents: number
  readonly bytes: number
  /** By operation name. */
  readonly costs: Readonly<Record<string, OperationCost>>
}

export type { OperationCost }

type Data = readonly (readonly [type: string, inputs: readonly Readonly<Record<string, unknown>>[]])[]

export async function runComparison(folder: string, size: number, onVariant: (name: string) => void = () => undefined): Promise<Comparison> {
  const data = await readData(folder, size)
  const questions = readQuestions(inFolder(folder, 'questions.json'))
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).toSorted()
  const variants: Variant[] = []
  // One after the other, because each may fill a good part of the memory.
  for (const name of names) {
    onVariant(name)
    variants.push(await measureVariant(join(folder, name), data, questions))
  }
  return { size, questions, variants }
}

async function measureVariant(folder: string, data: Data, questions: readonly Question[]): Promise<Variant> {
  const sdl = readSdl(readFileSync(inFolder(folder, 'schema.graphql'), 'utf8'), 'schema.graphql')
  const declaration = readDeclaration(sdl)
  const operations = readFileSync(inFolder(folder, 'operations.graphql'), 'utf8')
  checkNamed(folder, operations, questions)
  const store = await openMemoryStore(declaration.layout)
  await fill(declaration, store, data)
  const stored = await storedIn(declaration, store)
  const gateway = await createGateway({ typeDefs: sdl, resolvers: refusingResolvers(declaration), store: async () => store, openReads: true, openWrites: true, limits: noLimits, budget: noBudget, cursorSecret: 'compare' })
  const costs: Record<string, OperationCost> = {}
  for (const { operation } of questions) {
    await turn()
    costs[operation] = await costOf(gateway, operations, operation)
  }
  await gateway.dispose()
  return { name: nameOf(folder), ...stored, costs }
}

/** Uses the normal write path, so that snapshots, lists and counts are stored as declared. */
async function fill(declaration: Declaration, store: Store, data: Data): Promise<void> {
  const writer = new Writer(declaration, store)
  for (const [typeName, inputs] of data) {
    const type = declaration.model.documents.get(typeName)
    if (!type) continue
    const known = new Set(['id', ...[...type.fields.values()].map(inputName)])
    await writer.write(async (change) => {
      for (const [number, input] of inputs.entries()) {
        await change.create(typeName, Object.fromEntries(Object.entries(input).filter(([name]) => known.has(name))))
        // A memory store never waits for I/O: this lets signals through.
        if (number % 100 === 0) await turn()
      }
      return {}
    })
  }
}

async function storedIn({ model }: Declaration, store: Store): Promise<Pick<Variant, 'documents' | 'bytes'>> {
  const containers = new Set([...model.documents.values()].map(({ container }) => container))
  const all = await Promise.all([...containers].map(async (container) => store.query({ container, orderBy: { path: ['id'], descending: false }, limit: Infinity })))
  return { documents: all.flat().length, bytes: all.flat().reduce((sum, { bytes }) => sum + bytes, 0) }
}

async function costOf(gateway: Gateway, query: string, operationName: string): Promise<OperationCost> {
  const { cost, errors } = await measureOperation(gateway, { query, operationName })
  if (errors.length > 0 || !cost) throw new ConfigError(`${operationName} failed: ${errors.join(' ') || 'the answer has no cost report'}`)
  return cost
}

async function readData(folder: string, size: number): Promise<Data> {
  const file = ['data.js', 'data.mjs'].map((name) => join(folder, name)).find(existsSync) ?? inFolder(folder, 'data.ts')
  const module = (await import(pathToFileURL(resolve(file)).href)) as { documents?: (size: number) => Data }
  if (!module.documents) throw new ConfigError(`${file} does not export a function documents(size). examples/compare/data.ts shows one.`)
  return module.documents(size)
}

function readQuestions(file: string): Question[] {
  try {
    const questions: unknown = readJsonFile(file)
    if (Array.isArray(questions) && questions.length > 0 && questions.every((one: Partial<Question>) => typeof one?.operation === 'string' && typeof one.question === 'string')) return questions as Question[]
  } catch (error) {
    throw new ConfigError(`${file} is not JSON: ${jsonError(error)}.`, { cause: error })
  }
  throw new ConfigError(`${file} has no questions. Write a list like [{ "operation": "ListPage", "question": "What does a list cost?" }].`)
}

function checkNamed(folder: string, operations: string, questions: readonly Question[]): void {
  const named = new Set(parse(operations).definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION && node.name ? [node.name.value] : [])))
  const missing = questions.map(({ operation }) => operation).filter((operation) => !named.has(operation))
  if (missing.length > 0) throw new ConfigError(`${join(folder, 'operations.graphql')} has no operation ${missing.join(' or ')}, which questions.json names.`)
}

function inFolder(folder: string, name: string): string {
  const file = join(folder, name)
  if (!existsSync(file)) throw new ConfigError(`There is no ${file}. examples/compare/README.md lists the files of a comparison.`)
  return file
}

/** Without the leading number, which only orders the folders. */
function nameOf(folder: string): string {
  return folder.split(/[/\\]/).at(-1)!.replace(/^\d+-/, '')
}
