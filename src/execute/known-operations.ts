// Operations that have come through the front door: parsed, validated, and since then known by their text.
// With each go the plans that were made for it, compiled. All of it is kept within a number of bytes, and
// what has not been used for longest makes room.

import { LRUCache } from 'lru-cache'
import { getVariableValues, type DocumentNode, type GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import type { Freshness } from '../plan/choice.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Access } from '../auth/access.ts'
import { bytesOf } from './document-bytes.ts'
import { fragmentsOf, planOperation, type Plan } from '../plan/plan.ts'
import type { ReadPolicy } from '../plan/read-policy.ts'
import { refusalIn } from '../plan/refused-fields.ts'
import { compile } from './compiled/compile.ts'
import { planInputsIn, planKey, type PlanInputs } from '../plan/plan-key.ts'
import { simpleVariables, type SimpleVariables } from './compiled/simple-variables.ts'
import { RowTexts } from './compiled/row-cache.ts'
import type { Steps } from './compiled/steps.ts'
import type { Compiled } from './compiled/execution-strategy.ts'

export interface KnownOperationsOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly steps: Steps
  /** Whether rows are worth remembering: not where the store hands out new objects each time. */
  readonly sameObjects: boolean
  /** How much memory operations and their plans may take, and as much again the texts of rows, as far as that can be told from their sizes. */
  readonly bytes: number
}

/** One operation of a document. */
export interface KnownOperation {
  readonly text: string
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** What its plan depends on beside its text. */
  readonly deciding: PlanInputs
  /** Its variables, where they are simple. */
  readonly simpleVariables: SimpleVariables | undefined
  /** What its plan was called the last time. A text that is the same object need not be made and hashed again. */
  lastName: { readonly planKey: string; readonly name: string } | undefined
}

/** The variables of a request, as they came and as resolvers get them. */
export interface Variables {
  readonly given: Record<string, unknown>
  readonly coerced: Record<string, unknown>
}

/** A plan and its code; without code GraphQL.js runs it. */
export interface CompiledPlan {
  /** No other one has it. */
  readonly number: number
  readonly plan: Plan
  /** Why it must not run, where rules say so. */
  readonly refusal: (() => GraphQLError) | undefined
  readonly answer: Compiled | undefined
  /** Whether resolvers that a schema brings take part: they may look at the whole request. */
  readonly custom: boolean
  /** How often in a row the code gave up. */
  gaveUp: number
}

/** What a place of a plan takes in memory, all its objects together: measured, and rounded up. */
const bytesPerPlace = 2000
/** Code that gives up as often in a row as this is not worth trying. */
export const maxGivenUp = 5

export class KnownOperations {
  readonly #options: KnownOperationsOptions
  readonly #operations: LRUCache<string, KnownOperation>
  readonly #plans: LRUCache<string, CompiledPlan>
  readonly #rowTexts: RowTexts | undefined
  #plansMade = 0

  constructor(options: KnownOperationsOptions) {
    const half = Math.ceil(options.bytes / 2)
    this.#options = options
    this.#rowTexts = options.sameObjects ? new RowTexts(options.bytes) : undefined
    this.#operations = new LRUCache({ maxSize: half, sizeCalculation: ({ text, document }) => 1000 + 4 * text.length + bytesOf(document) })
    this.#plans = new LRUCache({ maxSize: half, sizeCalculation: ({ plan }, name) => 1000 + 2 * name.length + [...plan.all()].length * bytesPerPlace })
  }

  /** How much memory is taken, as far as that can be told. */
  get bytes(): { readonly operations: number; readonly rows: number } {
    return { operations: this.#operations.calculatedSize + this.#plans.calculatedSize, rows: this.#rowTexts?.bytes ?? 0 }
  }

  find(text: string, operationName: string | undefined): KnownOperation | undefined {
    return this.#operations.get(nameOf(text, operationName))
  }

  /** Remembers an operation that is valid. */
  add(text: string, operationName: string | undefined, document: DocumentNode, operation: OperationDefinitionNode): KnownOperation {
    const name = nameOf(text, operationName)
    const known = this.#operations.get(name)
    if (known) return known
    const added = { text: name, document, operation, deciding: planInputsIn(document), simpleVariables: simpleVariables(this.#options.schema, operation.variableDefinitions ?? []), lastName: undefined }
    this.#operations.set(name, added)
    return added
  }

  /** The plan for this request, made anew only when something that it depends on is new. */
  planned(known: KnownOperation, { given, coerced }: Variables, policy: ReadPolicy, freshness: Freshness, access?: Access): CompiledPlan {
    const name = nameOfPlan(known, planKey(known.deciding, coerced, policy, freshness, access))
    const ready = this.#plans.get(name)
    if (ready) return ready
    const { schema, declaration, steps } = this.#options
    const { document, operation } = known
    const plan = planOperation({ schema, declaration, document, operation, variables: given, policy, freshness, naive: false, access })
    const refusal = refusalIn(plan, access, schema, declaration)
    const planned = {
      number: ++this.#plansMade,
      plan,
      refusal,
      answer: refusal ? undefined : compile({ schema, steps, rowTexts: this.#rowTexts, plan, operation, fragments: fragmentsOf(document) }),
      custom: [...plan.all()].some(({ coordinate }) => steps.custom.has(coordinate)),
      gaveUp: 0,
    }
    this.#plans.set(name, planned)
    return planned
  }

  /** Undefined when they do not fit. */
  variables({ operation, simpleVariables: quick }: KnownOperation, given: Record<string, unknown>): Variables | undefined {
    const definitions = operation.variableDefinitions ?? []
    if (definitions.length === 0) return { given, coerced: given }
    const simple = quick?.(given)
    if (simple) return { given, coerced: simple }
    const { coerced } = getVariableValues(this.#options.schema, definitions, given, { maxErrors: 1 })
    return coerced && { given, coerced }
  }
}

function nameOfPlan(known: KnownOperation, print: string): string {
  if (known.lastName?.planKey !== print) known.lastName = { planKey: print, name: `${print}\0${known.text}` }
  return known.lastName.name
}

function nameOf(text: string, operationName: string | undefined): string {
  return operationName === undefined ? text : `${operationName}\0${text}`
}
