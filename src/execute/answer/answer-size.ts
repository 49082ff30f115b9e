// Measures an answer while GraphQL.js makes it. An answer beyond the limit ends its operation at once. GraphQL.js completes in
// one stretch whatever it has, so a long answer is handed to it piece by piece: after so many fields, objects and lists wait
// for a later turn of the event loop, in which deadlines pass and other requests are answered.

import { defaultFieldResolver, getNamedType, isIntrospectionType, isLeafType, isObjectType, type GraphQLFieldResolver, type GraphQLLeafType, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { currentOperation } from '../../store/operation-context.ts'
import { AnswerTooLarge, type AnswerLimits } from './answer-too-large.ts'
import { checkedValue } from './checked-values.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Reads } from '../../read/reads.ts'

/** How many fields GraphQL.js resolves in one turn of the event loop. */
export const fieldsPerTurn = 2000

/** How many objects of one list it completes before it looks whether the turn is over. */
const objectsAtOnce = 200

export interface AnswerSizeOptions {
  readonly limits: AnswerLimits
  readonly plan: Plan
  readonly reads: Pick<Reads, 'hold'>
  /** Ends the operation. */
  readonly stop: (error: AnswerTooLarge) => void
}

export class AnswerSize {
  readonly #options: AnswerSizeOptions
  #bytes = 0
  /** Objects in lists, and documents that were looked up for them. */
  #rows = 0
  #lookedUp = 0
  /** What was done in this turn, in fields. */
  #fields = 0
  /** What waits for its turn. */
  #waiting: (() => void)[] = []
  #isServing = false
  /** What an ended operation waits for. */
  #never: Promise<never> | undefined

  constructor(options: AnswerSizeOptions) {
    this.#options = options
  }

  /** Resolves a field that is no leaf: at once, or in its turn. */
  resolve(resolve: () => unknown): unknown {
    if (this.#never) return this.#never
    return this.#fields > fieldsPerTurn ? this.#inTurn(undefined).then(resolve) : resolve()
  }

  /** Documents are about to be looked up; undefined if they may be. */
  lookUp(documents: number, info: GraphQLResolveInfo): Promise<never> | undefined {
    this.#fields += documents
    return (this.#lookedUp += documents) > this.#options.limits.rows ? this.#end(info, 'rows') : undefined
  }

  /** The value of a field, as GraphQL.js gets it. */
  add(value: unknown, info: GraphQLResolveInfo, isLeaf: boolean): unknown {
    if (this.#never) return this.#never
    this.#fields++
    this.#bytes += String(info.path.key).length + 4 + bytesOf(value, isLeaf)
    if (this.#bytes > this.#options.limits.bytes) return this.#end(info, 'bytes')
    if (isLeaf || !Array.isArray(value)) return value
    if ((this.#rows += value.length) > this.#options.limits.rows) return this.#end(info, 'rows')
    // Each of its objects is completed as soon as GraphQL.js has the list, whatever is selected of it.
    if (this.#fields > fieldsPerTurn) return this.#inTurn(undefined).then(() => this.#listed(value))
    return this.#listed(value)
  }

  #listed(value: readonly unknown[]): readonly unknown[] {
    this.#fields += Math.min(value.length, objectsAtOnce)
    if (value.length <= objectsAtOnce) return value
    return value.map((each, at) => (at < objectsAtOnce ? each : this.#inTurn(each).then(() => {
      this.#fields++
      return each
    })))
  }

  #end(info: GraphQLResolveInfo, exceeds: keyof AnswerLimits): Promise<never> {
    if (this.#never) return this.#never
    this.#never = new Promise(() => {})
    this.#options.stop(new AnswerTooLarge(this.#options.plan.listAt(info), exceeds))
    this.#waiting = []
    return this.#never
  }

  #inTurn<T>(value: T): Promise<T> {
    const later = new Promise<T>((resolve) => this.#waiting.push(() => resolve(value)))
    if (!this.#isServing) {
      this.#isServing = true
      // Reads wait too: what has to wait for its turn may ask for documents of the same wave.
      this.#options.reads.hold(this.#serve())
    }
    return later
  }

  /** Hands out what waits, a turn's worth at a time. */
  async #serve(): Promise<void> {
    for (let next = 0; next < this.#waiting.length; next++) {
      if (this.#fields > fieldsPerTurn) {
        await nextTurn()
        this.#fields = 0
        if (isOver()) return
      }
      this.#waiting[next]!()
      // GraphQL.js completes it in this microtask.
      await Promise.resolve()
    }
    this.#waiting = []
    this.#isServing = false
  }
}

/** Makes the resolvers of a schema measure what they return, for operations that GraphQL.js executes. Those without a resolver of their own are left to `measuredProperty`. */
export function measureAnswers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) if (field.resolve) field.resolve = measured(field.resolve, isLeafType(getNamedType(field.type)))
  }
}

/** The resolver of fields that have none. */
export const measuredProperty: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
  const type = getNamedType(info.returnType)
  return isLeafType(type) ? measuredLeaf(source, args, context, info) : measuredObject(source, args, context, info)
}

const measuredObject = measured(defaultFieldResolver, false)
const measuredLeaf = measured((source, args, context, info) =>
  checkedValue(defaultFieldResolver(source, args, context, info), getNamedType(info.returnType) as GraphQLLeafType, `${info.parentType.name}.${info.fieldName}`, source), true)

function measured(resolve: GraphQLFieldResolver<unknown, unknown>, isLeaf: boolean): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, context, info) => {
    const { size } = (context as { quire?: { size?: AnswerSize } }).quire ?? {}
    if (!size) return resolve(source, args, context, info)
    const value: unknown = isLeaf ? resolve(source, args, context, info) : size.resolve(() => resolve(source, args, context, info))
    return value instanceof Promise ? value.then((found: unknown) => size.add(found, info, isLeaf)) : size.add(value, info, isLeaf)
  }
}

/** At least so long is the JSON of a value. What is in objects is measured field by field, each with a comma, of which the last has none. */
function bytesOf(value: unknown, isLeaf: boolean): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null || value instanceof Error) return 1
  if (Array.isArray(value)) return isLeaf ? value.reduce<number>((sum, each) => sum + 1 + bytesOf(each, true), 1) : 1 + 2 * value.length
  return isLeaf ? Object.values(value).reduce<number>((sum, each) => sum + 4 + bytesOf(each, true), 1) : 1
}

function isOver(): boolean {
  try {
    currentOperation()?.check()
    return false
  } catch {
    return true
  }
}
