// Operations that Yoga has parsed and validated once, found again by their text, each with the plans that were made and
// compiled for it. All of it stays within a number of bytes; the least recently used operation makes room with its plans.

import { LRUCache } from 'lru-cache'
import { getVariableValues, type DocumentNode, type GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { fits, RecordedInputs, type PlanInputs, type RecordedAnswer } from '../plan/plan-inputs.ts'
import { fragmentsOf, planFrom } from '../plan/plan-operation.ts'
import type { Plan } from '../plan/plan.ts'
import { refusalIn } from '../plan/refused-fields.ts'
import type { Declaration } from '../relations/declaration.ts'
import { compile } from './compiled/compile.ts'
import type { Compiled } from './compiled/execution-strategy.ts'
import { RowTexts } from './compiled/row-cache.ts'
import { simpleVariables, type SimpleVariables } from './compiled/simple-variables.ts'
import type { Steps } from './compiled/steps.ts'
import { bytesOf } from './document-bytes.ts'

export interface KnownOperationsOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly steps: Steps
  /** Whether the store returns the same object for an unchanged document. Only then are the texts of rows kept. */
  readonly sameObjects: boolean
  /** Max memory of operations with their plans, estimated from their sizes; the texts of rows may take as much again. */
  readonly bytes: number
}

/** One operation of a document. */
export interface KnownOperation {
  readonly name: string
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** Coerces variables of simple types; undefined where GraphQL.js has to. */
  readonly simpleVariables: SimpleVariables | undefined
  /** Most recently used first. */
  plans: readonly CompiledPlan[]
}

/** A plan and its code; without code GraphQL.js runs it. */
export interface CompiledPlan {
  /** Unique among the plans of a gateway. */
  readonly number: number
  readonly plan: Plan
  /** What the plan depends on: it serves every request that gives the same answers. */
  readonly recorded: readonly RecordedAnswer[]
  /** Makes the error where rules refuse the operation. */
  readonly refusal: (() => GraphQLError) | undefined
  readonly answer: Compiled | undefined
  /** Whether the schema's own resolvers take part: they may look at the whole request. */
  readonly custom: boolean
  /** How often in a row the code gave up. */
  gaveUp: number
}

/** Memory of a plan node with all of its objects: measured, and rounded up. */
const bytesPerNode = 2000
/** Max plans of one operation: clients choose the values of its variables. */
const maxPlans = 16
/** Code that gives up this often in a row is not tried again. */
export const maxGivenUp = 5

export class KnownOperations {
  readonly #options: KnownOperationsOptions
  readonly #operations: LRUCache<string, KnownOperation>
  readonly #rowTexts: RowTexts | undefined
  #plansMade = 0

  constructor(options: KnownOperationsOptions) {
    this.#options = options
    this.#rowTexts = options.sameObjects ? new RowTexts(options.bytes) : undefined
    this.#operations = new LRUCache({ maxSize: options.bytes, sizeCalculation: bytesOfOperation })
  }

  /** Estimated memory. */
  get bytes(): { readonly operations: number; readonly rows: number } {
    return { operations: this.#operations.calculatedSize, rows: this.#rowTexts?.bytes ?? 0 }
  }

  find(text: string, operationName: string | undefined): KnownOperation | undefined {
    return this.#operations.get(nameOf(text, operationName))
  }

  /** Remembers an operation that is valid. */
  add(text: string, operationName: string | undefined, document: DocumentNode, operation: OperationDefinitionNode): KnownOperation {
    const name = nameOf(text, operationName)
    const known = this.#operations.get(name)
    if (known) return known
    const added = { name, document, operation, simpleVariables: simpleVariables(this.#options.schema, operation.variableDefinitions ?? []), plans: [] }
    this.#operations.set(name, added)
    return added
  }

  /** Coerces the variables of a request; undefined when they do not fit. */
  variables({ operation, simpleVariables: simple }: KnownOperation, given: Record<string, unknown>): Record<string, unknown> | undefined {
    const definitions = operation.variableDefinitions ?? []
    if (definitions.length === 0) return given
    return simple?.(given) ?? getVariableValues(this.#options.schema, definitions, given, { maxErrors: 1 }).coerced
  }

  /** The plan for a request: a cached one when planning anew would make the same. */
  planned(known: KnownOperation, inputs: PlanInputs): CompiledPlan {
    const [latest] = known.plans
    if (latest && fits(latest.recorded, inputs)) return latest
    const found = known.plans.find(({ recorded }) => fits(recorded, inputs))
    const planned = found ?? this.#make(known, inputs)
    known.plans = [planned, ...known.plans.filter((each) => each !== planned)].slice(0, maxPlans)
    // Its size has changed, which the cache finds out when it is added.
    if (!found && this.#operations.delete(known.name)) this.#operations.set(known.name, known)
    return planned
  }

  #make({ document, operation }: KnownOperation, inputs: PlanInputs): CompiledPlan {
    const { schema, declaration, steps } = this.#options
    const recording = new RecordedInputs(inputs)
    const plan = planFrom({ schema, declaration, document, operation, naive: false }, recording)
    const refusal = refusalIn(plan, recording.access(), schema, declaration)
    return {
      number: ++this.#plansMade,
      plan,
      recorded: recording.recorded,
      refusal,
      answer: refusal ? undefined : compile({ schema, steps, rowTexts: this.#rowTexts, plan, operation, fragments: fragmentsOf(document) }),
      custom: [...plan.all()].some(({ coordinate }) => steps.custom.has(coordinate)),
      gaveUp: 0,
    }
  }
}

function bytesOfOperation({ name, document, plans }: KnownOperation): number {
  return 1000 + 4 * name.length + bytesOf(document) + plans.reduce((sum, { plan }) => sum + 1000 + [...plan.all()].length * bytesPerNode, 0)
}

function nameOf(text: string, operationName: string | undefined): string {
  return operationName === undefined ? text : `${operationName}\0${text}`
}
