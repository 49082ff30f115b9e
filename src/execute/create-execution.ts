// The execution of one gateway: its executable schema, and its operations with their caches, budget and tenants. The root
// gives it the open store and feed; `http/` gets the schema for Yoga and the operations for the fast path and for Yoga.

import { makeExecutableSchema } from '@graphql-tools/schema'
import type { IResolvers } from '@graphql-tools/utils'
import { isObjectType, type GraphQLSchema } from 'graphql'
import type { Rules } from '../auth/rules.ts'
import type { ChangeStream } from '../feed/change-stream.ts'
import type { Cursors } from '../model/keys/cursor.ts'
import { listArguments } from '../model/api/list-arguments.ts'
import { allFields, fieldAt, type Model } from '../model/model.ts'
import { useScalars } from '../model/values/use-scalars.ts'
import type { Observers } from '../observe/observers.ts'
import type { Recorder } from '../observe/workload/recorder.ts'
import { CostGuard, defaultBudget, noBudget, type Budget } from '../plan/cost/budget.ts'
import type { Freshness } from '../plan/freshness.ts'
import { defaultPageSizes, type PageSizes } from '../plan/field-arguments.ts'
import type { Strategy } from '../read/loader.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Store } from '../store/store.ts'
import { createMutations } from '../write/mutations.ts'
import type { Writer } from '../write/writer.ts'
import { measureAnswers } from './answer/answer-size.ts'
import { checkValues } from './answer/checked-values.ts'
import { checkStoredValues } from './invalid/checked-stored-values.ts'
import { bindOwnResolvers } from './custom-resolvers/bind-resolvers.ts'
import { createSteps } from './compiled/compile/steps.ts'
import { createChangeSubscriptions } from '../feed/subscriptions/change-subscriptions.ts'
import { guardFields } from './answer/forbidden-fields.ts'
import { OperationCache } from './operation-cache.ts'
import { Operations, type OperationsOptions } from './operations.ts'
import { createResolvers } from './resolvers.ts'
import { createTenantScopes } from './tenant-scope.ts'

/** The options of a gateway that concern execution. */
export interface ExecutionOptions {
  /** Every answer carries its cost report, and operations have no budget unless `budget` gives one. */
  readonly development?: boolean
  /** Resolvers of fields that the schema adds itself. */
  readonly resolvers?: IResolvers
  /** `naive` makes one read per reference, without snapshots and batching, for comparison. */
  readonly strategy?: Strategy
  /** Whether known queries are answered by compiled plans; without, GraphQL.js executes everything, with the same answers. Default true, except for the naive strategy, while a workload is recorded, and with plugins. @internal */
  readonly compiles?: boolean
  readonly pageSizes?: Partial<PageSizes>
  /** Max cost of an operation; default some in production and none in development. */
  readonly budget?: Partial<Budget> | undefined
  /** Max memory of known operations with their compiled plans; the texts of rows may take as much again. */
  readonly planBytes?: number
}

/** What the other rooms contribute. */
export interface ExecutionParts extends Pick<OperationsOptions, 'deadlineMs' | 'clock' | 'charge' | 'limits' | 'checkRead'> {
  readonly declaration: Declaration
  readonly store: Store
  readonly cursors: Cursors
  readonly rules: Rules
  readonly changes: ChangeStream
  readonly freshness: () => Freshness
  readonly writerOn: (store: Store) => Writer
  readonly observers: Observers
  readonly record: Recorder | undefined
  /** Whether only trusted documents run. */
  readonly trusted: boolean
  /** Whether the schema's own resolvers find more in their context than the fast path has. */
  readonly extendsContext: boolean
  /** Whether plugins may change documents, resolvers and results, of which compiled plans know nothing. */
  readonly hasPlugins: boolean
}

export interface Execution {
  readonly schema: GraphQLSchema
  readonly operations: Operations
  /** Whether known queries are answered by compiled plans, so that a fast path makes sense. */
  readonly compiles: boolean
}

export function createExecution(parts: ExecutionParts, options: ExecutionOptions): Execution {
  const { declaration, store, cursors, changes, writerOn, record } = parts
  const { development = false, resolvers = {}, strategy = 'batched', compiles = strategy !== 'naive' && !record && !parts.hasPlugins } = options
  const pageSizes = { ...defaultPageSizes, ...options.pageSizes }
  const schema = useScalars(makeExecutableSchema({
    typeDefs: declaration.sdl,
    resolvers: [createResolvers({ declaration, cursors, pageSizes }), { Subscription: createChangeSubscriptions(declaration) }, { Mutation: createMutations(declaration, { atomic: store.supports.atomic === 'store', maxInputs: pageSizes.max }) }, resolvers],
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  }))
  const { model } = declaration
  const custom = bindOwnResolvers({ declaration, schema, cursors, pageSizes }, coordinatesIn(resolvers))
  withoutUnreadArguments(schema, model, custom)
  checkStoredValues(schema, { model, custom, development })
  checkValues(schema, (coordinate) => !custom.has(coordinate) && fieldAt(model, coordinate) !== undefined)
  measureAnswers(schema)
  guardFields(schema, model)
  const known = new OperationCache({
    schema, declaration,
    steps: createSteps(declaration, custom, { cursors, sizes: pageSizes }),
    sameObjects: store.supports.sameObjects,
    bytes: options.planBytes ?? defaultPlanBytes,
    trusted: parts.trusted,
    limits: parts.limits,
  })
  const costs = new CostGuard(
    { schema, declaration, pageSizes, strategy, keysPerRequest: store.supports.keysPerRequest, writesTogether: store.supports.atomic === 'store' },
    { ...(development || strategy === 'naive' ? noBudget : defaultBudget), ...options.budget },
  )
  const operations = new Operations({
    ...parts, schema, known, strategy, compiles, costs, traces: development,
    scopeOf: createTenantScopes({ tenants: declaration.tenants, store, changes, writerOn }),
  })
  return { schema, operations, compiles }
}

/** Enough for some thousand different operations. */
const defaultPlanBytes = 20 * 1024 * 1024

/** A resolver of the schema's own knows nothing of the arguments that Quire adds to lists. */
function withoutUnreadArguments(schema: GraphQLSchema, model: Model, custom: ReadonlySet<string>): void {
  for (const field of allFields(model)) {
    const type = schema.getType(field.owner)
    const served = custom.has(field.coordinate) && isObjectType(type) ? type.getFields()[field.name] : undefined
    const added = served && new Set<string>(listArguments(field, model).map(({ name }) => name))
    // Those that the schema writes itself have a place in its text.
    if (served) served.args = served.args.filter(({ name, astNode }) => !added!.has(name) || astNode?.loc !== undefined)
  }
}

/** The `Type.field` of every resolver. */
function coordinatesIn(resolvers: IResolvers): Set<string> {
  return new Set(Object.entries(resolvers).flatMap(([type, fields]) => Object.keys(fields as object).map((field) => `${type}.${field}`)))
}
