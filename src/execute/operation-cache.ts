// Operations that were asked more than once, found again by their text, each with the plans that were made and compiled for
// it. A plan is true for a request if planning would be told the same as when it was made (plan/plan-inputs.ts). All of it stays
// within a number of bytes; the least recently used operation makes room with its plans. The first time an operation is asked,
// it is planned for this request alone: nothing is compiled, and nothing of it is kept.

import { LRUCache } from 'lru-cache'
import { getOperationAST, OperationTypeNode, type DocumentNode, type GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { fits, RecordedInputs, type PlanInputs, type RecordedAnswer } from '../plan/plan-inputs.ts'
import { fragmentsOf, planFrom, stepsWith } from '../plan/plan-operation.ts'
import type { Plan } from '../plan/plan.ts'
import { hidesFields, refusalIn } from '../plan/refused-fields.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { AnswerLimits } from './answer/answer-too-large.ts'
import { SeenBefore } from '../store/running/seen-before.ts'
import { checksTypes, compile } from './compiled/compile/compile.ts'
import { rowClosures } from './compiled/compile/row-closures.ts'
import { rowCode } from './compiled/compile/row-code.ts'
import type { Steps } from './compiled/compile/steps.ts'
import { RowCaches } from './compiled/row-cache.ts'
import type { LoopTask } from '../store/running/loop-watch.ts'
import type { CompiledQueryRun } from './compiled/run.ts'
import { bytesOf } from './document-bytes.ts'
import { createArgumentRefusals, type ArgumentRefusal } from './arguments/refused-arguments.ts'
import { variablesOf, type CoerceVariables } from './arguments/variables.ts'
import type { ReadDocument } from './operation.ts'

export interface KnownOperationsOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly steps: Steps
  /** Whether the store returns the same object for an unchanged document. Only then are the texts of rows kept. */
  readonly sameObjects: boolean
  /** Max memory of operations with their plans, estimated from their sizes; the texts of rows may take as much again. */
  readonly bytes: number
  readonly limits: AnswerLimits
  /** Whether operations are worth compiling when they are first asked: trusted documents are few, and come again. */
  readonly trusted: boolean
}

/** One operation of a document. */
export interface KnownOperation {
  readonly name: string
  /** Whether it is asked for the first time: then it serves this request alone. */
  readonly isFirst: boolean
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly task: LoopTask
  readonly coerceVariables: CoerceVariables
  /** Most recently used first. */
  plans: readonly CompiledPlan[]
}

/** A plan and what runs it; if nothing does, GraphQL.js. */
export interface CompiledPlan {
  readonly plan: Plan
  /** What the plan depends on: it serves every request that gives the same answers. */
  readonly recorded: readonly RecordedAnswer[]
  /** Makes the error where rules refuse the operation. */
  readonly refusal: (() => GraphQLError) | undefined
  /** Makes it where they, or indexes, refuse the arguments of a list within documents. */
  readonly argumentRefusal: ArgumentRefusal | undefined
  readonly run: CompiledQueryRun | undefined
  /** Whether the schema's own resolvers take part: they may look at the whole request. */
  readonly custom: boolean
  /** How often in a row the code gave up. */
  gaveUp: number
}

/** A query that a compiled plan is about to answer. */
export interface PreparedQuery {
  readonly planned: CompiledPlan
  readonly run: CompiledQueryRun
  /** Coerced, with their defaults. */
  readonly variables: Record<string, unknown>
}

/** Memory of a plan node with all of its objects: measured, and rounded up. */
const bytesPerNode = 2000
/** Max plans of one operation: clients choose the values of its variables. */
const maxPlans = 16
/** Code that gives up this often in a row is not tried again. */
const maxGivenUp = 5

export class OperationCache {
  readonly #options: KnownOperationsOptions
  readonly #operations: LRUCache<string, KnownOperation>
  readonly #rowCaches: RowCaches | undefined
  readonly #asked = new SeenBefore()
  readonly #checksTypes: boolean
  readonly argumentRefusalIn: (plan: Plan) => ArgumentRefusal | undefined

  constructor(options: KnownOperationsOptions) {
    this.#options = options
    this.argumentRefusalIn = createArgumentRefusals(options.declaration, options.schema, options.steps.custom)
    this.#checksTypes = checksTypes(options.schema)
    this.#rowCaches = options.sameObjects ? new RowCaches(options.bytes) : undefined
    this.#operations = new LRUCache({ maxSize: options.bytes, sizeCalculation: bytesOfOperation })
  }

  /** Estimated memory. */
  get bytes(): { readonly operations: number; readonly rows: number } {
    return { operations: this.#operations.calculatedSize, rows: this.#rowCaches?.bytes ?? 0 }
  }

  find(text: string, operationName: string | undefined): KnownOperation | undefined {
    // No GraphQL text and no name has a NUL, which stands between the two in a key.
    if (text.includes('\0') || operationName?.includes('\0')) return undefined
    return this.#operations.get(nameOf(text, operationName))
  }

  /** The same; an operation that is not known is read by `read`, which returns valid documents only. Undefined when Yoga has to answer. */
  findOrRead(text: string, operationName: string | undefined, request: object, read: ReadDocument): KnownOperation | undefined {
    const known = this.find(text, operationName)
    if (known) return known
    const document = read(text)
    const operation = document && getOperationAST(document, operationName)
    return operation && operation.operation !== OperationTypeNode.SUBSCRIPTION ? this.add(text, operationName, document, operation, request) : undefined
  }

  /** An operation that is valid, kept unless `request` is the first to ask it. */
  add(text: string, operationName: string | undefined, document: DocumentNode, operation: OperationDefinitionNode, request: object): KnownOperation {
    const name = nameOf(text, operationName)
    const known = this.#operations.get(name)
    if (known) return known
    const isFirst = !this.#options.trusted && this.#asked.isFirst(name, request)
    const added: KnownOperation = { name, isFirst, document, operation, task: { kind: operation.operation, name: operation.name?.value }, coerceVariables: variablesOf(this.#options.schema, operation.variableDefinitions ?? []), plans: [] }
    if (!isFirst) this.#operations.set(name, added)
    return added
  }

  /** Undefined when GraphQL.js has to answer: the variables do not fit, or there is no code that is worth trying. Throws errors of `@read`. */
  prepareQuery(known: KnownOperation, given: Record<string, unknown>, { policy, freshness, access }: Omit<PlanInputs, 'variables'>): PreparedQuery | undefined {
    if (known.operation.operation !== OperationTypeNode.QUERY) return undefined
    const variables = known.coerceVariables(given)
    if (!variables) return undefined
    const planned = this.planned(known, { variables, policy, freshness, access }, given)
    if (!planned.run || planned.gaveUp >= maxGivenUp) return undefined
    return { planned, run: planned.run, variables }
  }

  /** The plan for a request: a cached one if planning would give the same plan. `given` are the variables as the request gives them. */
  planned(known: KnownOperation, inputs: PlanInputs, given: Record<string, unknown>): CompiledPlan {
    const [latest] = known.plans
    if (latest && fits(latest.recorded, inputs)) return latest
    const found = known.plans.find(({ recorded }) => fits(recorded, inputs))
    const planned = found ?? this.#make(known, inputs, given)
    known.plans = [planned, ...known.plans.filter((each) => each !== planned)].slice(0, maxPlans)
    // Its size has changed, which the cache finds out when it is added.
    if (!found && !known.isFirst && this.#operations.delete(known.name)) this.#operations.set(known.name, known)
    return planned
  }

  #make({ document, operation, isFirst }: KnownOperation, inputs: PlanInputs, given: Record<string, unknown>): CompiledPlan {
    const { schema, declaration, steps } = this.#options
    const recording = new RecordedInputs(inputs)
    const plan = planFrom({ schema, declaration, document, operation, naive: false }, recording, stepsWith(document, given))
    const access = recording.access()
    const refusal = refusalIn(plan, access, schema, declaration)
    // GraphQL.js answers errors.
    const isCompiled = !refusal && !this.#checksTypes && !hidesFields(plan, access, declaration)
    const how = isFirst ? { rows: rowClosures, rowCaches: undefined } : { rows: rowCode, rowCaches: this.#rowCaches }
    return {
      plan,
      recorded: recording.recorded,
      refusal,
      argumentRefusal: this.argumentRefusalIn(plan),
      run: isCompiled ? compile({ schema, steps, ...how, plan, operation, fragments: fragmentsOf(document), limits: this.#options.limits }) : undefined,
      custom: steps.custom.size > 0 && usesCustom(plan, steps),
      gaveUp: 0,
    }
  }
}

function bytesOfOperation({ name, document, plans }: KnownOperation): number {
  return 1000 + 4 * name.length + bytesOf(document) + plans.reduce((sum, { plan }) => sum + 1000 + plan.all().size * bytesPerNode, 0)
}

function usesCustom(plan: Plan, { custom }: Steps): boolean {
  for (const { coordinate } of plan.all()) if (custom.has(coordinate)) return true
  return false
}

function nameOf(text: string, operationName: string | undefined): string {
  return operationName === undefined ? text : `${operationName}\0${text}`
}
