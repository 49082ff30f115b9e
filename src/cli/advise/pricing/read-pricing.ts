// The reads of the recorded operations and their cost, under any declaration of the same data. `quire explain`'s
// planner tells which calls are made and which are batched; the recording tells how many documents they read.

import { parse, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import { nothingKnown } from '../../../plan/explain/assumptions.ts'
import type { ExplainedNode, ExplainedRead } from '../../../plan/explain/explained-node.ts'
import { explainNodes } from '../../../plan/explain/explain-nodes.ts'
import { timingsOf, defaultWave } from '../../../plan/explain/waves.ts'
import type { PlannedRead } from '../../../read/planned-reads.ts'
import type { DocumentType } from '../../../model/model.ts'
import { defaultPageSizes } from '../../../plan/field-arguments.ts'
import { planOperation } from '../../../plan/plan-operation.ts'
import { anyAge } from '../../../plan/freshness.ts'
import { neverStale } from '../../../feed/watermark.ts'
import { aggregateCharge, countCharge, queryCharge, readCharge } from '../../../store/cost-model.ts'
import { allRecordedNodes, type RecordedOperation, type RecordedNode } from '../../../observe/workload/workload.ts'
import { operationText, placeOfAlias, type TextOptions } from '../replay/operation-text.ts'
import { plus, type Rate } from './rate.ts'

/** One store call of an operation, on average per run of the operation. */
export interface Call {
  readonly asked: PlannedRead
  /** How often it is made: less than once if some runs had nothing to read. */
  readonly made: number
  /** Keys per call; for pages and counts per holder, the holders. */
  readonly keys: number
  /** Documents that a query finds per holder. */
  readonly rows: number
  /** How often there were more than a few keys, and how many on these runs, if recorded. */
  readonly many?: { readonly made: number; readonly keys: number }
}

export interface CallOptions extends Pick<TextOptions, 'documentOf'> {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  /** How many documents of a type there are. */
  readonly countOf: (type: DocumentType) => number
}

/** The calls that an operation makes under a declaration. */
export function callsOf(operation: RecordedOperation, { schema, declaration, documentOf, countOf }: CallOptions): Call[] {
  const text = operationText(operation, { schema, declaration, documentOf })
  if (text === undefined) return []
  const document = parse(text)
  const plan = planOperation({
    schema, declaration, document, operation: document.definitions[0] as OperationDefinitionNode, variables: {}, policy: anyAge, freshness: neverStale, naive: false,
  })
  const nodes = explainNodes({ schema, declaration, variables: {}, pageSizes: defaultPageSizes, known: nothingKnown }, plan.roots)
  const recorded = allRecordedNodes(operation.places)
  const asking = new Map(allNodes(nodes).flatMap((node) => node.reads.map((read) => [read, placeOfAlias(recorded, node.path.split('.').at(-1)!)] as const)))
  const timings = timingsOf([...asking.keys()])
  const together = Map.groupBy(asking.keys(), (read) => `${defaultWave(timings.get(read)!)} ${read.asked.loader}`)
  return [...together.values()].map((reads) => callFor(reads, asking, operation.times, countOf))
}

/** The cost of a call, per run of its operation. */
export function priceOf({ many, ...call }: Call, bytesOf: (type: DocumentType | undefined) => number, keysPerRequest: number): Rate {
  const { asked, made, keys, rows } = call
  if (many && many.made > 0 && many.made < made) {
    const few = { ...call, made: made - many.made, keys: (made * keys - many.made * many.keys) / (made - many.made) }
    return plus(priceOf(few, bytesOf, keysPerRequest), priceOf({ ...call, ...many }, bytesOf, keysPerRequest))
  }
  const bytes = bytesOf(asked.type)
  const requests = asked.by === 'key' ? Math.max(1, Math.ceil(keys / keysPerRequest - 1e-9)) : 1
  const charge = asked.by === 'count' ? keys * countCharge()
    : asked.by === 'aggregate' ? keys * aggregateCharge(asked.documents.most)
    : asked.by === 'page' ? keys * queryOf(rows, bytes)
    : asked.selection ? queryOf(keys, bytes)
    : keys <= 1 ? readCharge(bytes)
    : Math.min(keys * readCharge(bytes), queryOf(keys, bytes))
  return { roundTrips: made * requests, requestCharge: made * charge }
}

/** The RU of a query that finds so many documents; an average need not be a whole number. */
export function queryOf(rows: number, bytes: number): number {
  const whole = Math.floor(rows)
  const some = (count: number) => queryCharge([...Array<number>(count).fill(bytes)])
  return some(whole) + (rows - whole) * (some(whole + 1) - some(whole))
}

function callFor(reads: readonly ExplainedRead[], asking: ReadonlyMap<ExplainedRead, RecordedNode>, times: number, countOf: CallOptions['countOf']): Call {
  const [{ asked }] = reads as [ExplainedRead]
  const places = reads.map((read) => asking.get(read)!)
  const root = reads.some(({ after }) => after === undefined)
  const sum = (numberOf: (place: RecordedNode) => number) => places.reduce((total, place) => total + numberOf(place), 0) / times
  const share = root ? 1 : Math.min(1, sum(({ asked: often = 0 }) => often))
  const holders = root ? 1 : sum(({ resolved = 0 }) => resolved)
  // Documents whose id does not tell their partition are found by a query, and were recorded as rows.
  const keysOf = ({ documents = 0, rows = 0 }: RecordedNode) => (asked.selection ? documents || rows : documents) / times
  const keys = asked.by === 'key' ? different(places.map(keysOf), asked.type ? countOf(asked.type) : Infinity) : holders
  const made = Math.min(share, keys)
  const often = sum(({ many = 0 }) => many)
  return {
    asked, made, keys: made === 0 ? 0 : keys / made, rows: holders === 0 ? 0 : sum(({ rows = 0 }) => rows) / holders,
    ...(asked.by === 'key' && places.length === 1 && often > 0 ? { many: { made: often, keys: sum(({ manyDocuments = 0 }) => manyDocuments) / often } } : {}),
  }
}

/** The expected number of distinct documents when several selections each read random ones. */
function different(keys: readonly number[], all: number): number {
  const sum = keys.reduce((total, each) => total + each, 0)
  if (keys.length < 2 || !Number.isFinite(all) || all === 0) return sum
  return all * (1 - keys.reduce((others, each) => others * (1 - Math.min(1, each / all)), 1))
}

function allNodes(nodes: readonly ExplainedNode[]): ExplainedNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.children)])
}
