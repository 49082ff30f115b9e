// `quire explain`: reads an operation and prints its errors or its plan, without running it. plan/explain makes the plan,
// explain-text.ts prints it.

import { basename } from 'node:path'
import { getVariableValues, GraphQLError, Kind, parse, validate, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { anyAge, type Freshness } from '../../plan/freshness.ts'
import { readConfig, type Config } from '../../config/config.ts'
import { readDeclaration } from '../../relations/declaration.ts'
import { readDeclaredSchema } from '../../serve/schema-folder.ts'
import { explain, servedSchema } from '../../plan/explain/explain.ts'
import { knownFrom, nothingKnown } from '../../plan/explain/assumptions.ts'
import { defaultPageSizes } from '../../plan/field-arguments.ts'
import { neverStale, Watermark } from '../../feed/watermark.ts'
import { kindOf } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { processIo, type CommandIo } from '../command/command-io.ts'
import type { CliCommand } from '../command/command.ts'
import { errorText, readNamed } from '../command/print-error.ts'
import { explainedJson, explainedLines } from './explain-text.ts'
import { hintFor } from './operation-hints.ts'
import { openStored, tenantScopeOf } from '../command/open-stored.ts'

export const command: CliCommand = {
  arguments: { '<file>': 'the operation, or - to read it from standard input' },
  settings: ['schema'],
  options: {
    '--variables <json>': 'the values of its variables: page sizes and conditions depend on them',
    '--operation <name>': 'which operation, if the file has several',
    '--max-stale-ms <ms>': 'how old snapshots may be, as the header quire-max-stale-ms says it',
    '--store': 'ask the store of QUIRE_STORE how many documents there are and how large',
    '--tenant <name>': 'the tenant whose documents to count, where tenants share the store',
    '--json': 'print one JSON object',
  },
  help: `
For each relation it shows whether a snapshot answers it or Quire looks it up, and why; how the store is asked
(point reads by key, a query in one partition or across partitions, a count), and in which wave. Requests of one
wave run at the same time, so the number of waves is what latency depends on. At the end it shows what to expect of
the whole operation, and what the naive way would take: one read per reference, no snapshots, no batching.

Without --store no store is opened: the numbers of rows follow from page sizes, from first and last, and from
the max length of lists. Where only data can tell, both bounds are given.

Exits with 0 when there is a plan, with 2 when the operation is not valid or cannot be read.

Example:
  $ quire explain schema/library/operations/4-four-levels.graphql
  $ quire explain list.graphql --variables '{"first": 10}' --store
  $ quire explain - --json < list.graphql`,
  run: ({ store = false, json = false, ...options }: Partial<ExplainOptions>, file: string) => runExplain(file, { ...options, store, json }),
}

export interface ExplainOptions {
  readonly variables?: string
  readonly operation?: string
  readonly maxStaleMs?: string
  readonly store: boolean
  /** The tenant whose documents to count, where tenants share the store. */
  readonly tenant?: string
  readonly json: boolean
}

/** The assumed age of snapshots that follow through the change feed, unless the store can tell. */
const assumedAgeMs = 1000
const assumedAge = `Snapshots follow through the change feed; their age is assumed to be up to ${assumedAgeMs} ms. With --store, Quire asks the store for it.`

/** Answers with the exit code. */
export async function runExplain(file: string, options: ExplainOptions, { env, read, print, printError }: Omit<CommandIo, 'progress'> = processIo): Promise<number> {
  const name = file === '-' ? 'stdin' : basename(file)
  try {
    const config = readConfig(env)
    const variables = readVariables(options.variables)
    const maxStaleMs = readAge(options.maxStaleMs)
    const { typeDefs, derive } = await readDeclaredSchema(config.schemaFolder)
    const declaration = readDeclaration(typeDefs, derive, config.tenants !== undefined)
    const schema = servedSchema(declaration)
    const { document, operation } = readOperation(readNamed(() => read(file), file, 'file'), schema, variables, options.operation)
    const stored = options.store ? await openStored(env) : undefined
    try {
      const documents = stored ? await knownFrom(tenantScopeOf(declaration, stored.store, options.tenant), stored.declaration.model) : nothingKnown
      const known = usesFeed(config) && !stored ? { ...documents, assumed: [...documents.assumed, assumedAge] } : documents
      const explained = explain({
        schema, declaration: stored?.declaration ?? declaration, document, operation, variables, known, pageSizes: defaultPageSizes,
        policy: { ...anyAge, maxStaleMs }, freshness: await freshnessOf(config, stored?.store),
      })
      if (options.json) print(JSON.stringify(explainedJson(explained, operation), undefined, 2))
      else for (const line of explainedLines(explained, operation)) print(line)
      return 0
    } finally {
      await stored?.store.close()
    }
  } catch (error) {
    const all = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
    for (const one of all) printError(one instanceof GraphQLError ? `${name}${locationOf(one)}: ${one.message}` : errorText(one))
    return 2
  }
}

/** The operation to explain. Throws all of its errors at once. */
function readOperation(text: string, schema: GraphQLSchema, variables: Record<string, unknown>, wanted: string | undefined): { document: DocumentNode; operation: OperationDefinitionNode } {
  const document = parse(text)
  const mistakes = validate(schema, document)
  if (mistakes.length > 0) throw new AggregateError(mistakes.map((mistake) => hinted(mistake, hintFor(schema, mistake))))
  const operations = document.definitions.filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
  const names = operations.map(({ name }) => name?.value ?? 'an unnamed one').join(', ')
  const operation = wanted === undefined ? operations[0] : operations.find(({ name }) => name?.value === wanted)
  if (!operation) throw new GraphQLError(wanted === undefined ? 'The file has no operation, only fragments. Add a query.' : `The file has no operation ${wanted}. It has ${names}.`)
  if (wanted === undefined && operations.length > 1) throw new GraphQLError(`The file has several operations: ${names}. Choose one with --operation NAME.`)
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
  if (errors) throw new AggregateError(errors.map((error) => hinted(error, `Give variables with --variables '{"name": value}'.`)))
  return { document, operation }
}

function hinted(mistake: GraphQLError, hint: string): GraphQLError {
  const { nodes, source, positions } = mistake
  return new GraphQLError(`${mistake.message}${hint === '' ? '' : ` ${hint}`}`, { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null })
}

function locationOf({ locations }: GraphQLError): string {
  const [at] = locations ?? []
  return at ? `:${at.line}:${at.column}` : ''
}

/** Whether snapshots follow through the change feed instead of being written with their source. */
function usesFeed({ effects, store }: Config): boolean {
  return effects === 'feed' || kindOf(store).atomic === 'partition'
}

async function freshnessOf(config: Config, store: Store | undefined): Promise<Freshness> {
  if (!usesFeed(config)) return neverStale
  if (!store) return { boundMs: assumedAgeMs, watermark: 0 }
  const watermark = new Watermark(store)
  await watermark.mark()
  await watermark.refresh()
  return watermark.freshness
}

function readVariables(text = '{}'): Record<string, unknown> {
  try {
    const variables: unknown = JSON.parse(text)
    if (typeof variables === 'object' && variables !== null && !Array.isArray(variables)) return variables as Record<string, unknown>
  } catch {
    // Reported below, like any other value that is not an object.
  }
  throw new Error(`--variables is ${text.slice(0, 80)}. Give a JSON object, such as '{"first": 10}'.`)
}

function readAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new Error(`--max-stale-ms is ${text.slice(0, 40)}. Give a whole number of milliseconds.`)
  return Number(text)
}
