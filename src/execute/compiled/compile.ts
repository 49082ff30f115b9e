// From a plan to the code that answers it, made once and run for every request that asks the same.
//
//   plan      Query.posts ── PostConnection.nodes ── Post.title, Post.writers ── Writer.name
//
//   code      posts, nodes    asked of their resolvers, once each
//             level of Post   for each row: '{"title":' + string(row.body.title) + ',"writers":' + c0[at] + '}'
//               c0            the documents behind `writers`, gathered for all rows of the level at once,
//                             each distinct one written once by …
//             level of Writer for each row: '{"name":' + string(name(row.body)) + '}'
//
// Levels are resolved breadth first. What can be had from a row alone, copies included, is part of the code
// that writes the row (row-code.ts) and takes no promise. So is what a row points at, where the store has it in hand
// (inlined-references.ts): such code is made beside the other, and which of them runs is for each run to say (execution-strategy.ts).

import {
  defaultFieldResolver, getNamedType, isLeafType, isListType, isNonNullType, isObjectType, OperationTypeNode,
  type FragmentDefinitionNode, type GraphQLAbstractType, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType,
  type GraphQLResolveInfo, type GraphQLSchema, type OperationDefinitionNode,
} from 'graphql'
import type { Plan, PlanNode } from '../../plan/plan.ts'
import { allThere, whenReady } from '../../store/maybe-promise.ts'
import type { Body } from '../../model/json/json.ts'
import { argumentsOf } from './arguments.ts'
import { writeGathered } from './gathered.ts'
import { GiveUp } from './give-up.ts'
import { leafText } from './leaf-text.ts'
import { asksOneAtATime } from './one-at-a-time.ts'
import { bodyIn, isInline, isInlineRow, levelCode, rowCode, shapeOf, typeOf, valueCode, valueIn, type Form, type Places, type Vocabulary } from './row-code.ts'
import { Looks } from './inlined-references.ts'
import type { RowTexts } from './row-cache.ts'
import { countAll, type Run } from './run.ts'
import type { Step, Steps } from './steps.ts'
import { eitherWay, type Compiled, type Way } from './execution-strategy.ts'
import { together, writeAbstract, writeAll, writeDistinct, writeList, writeNullable, writeRequired, type Together, type Writer } from './json-writer.ts'

export interface CompileOptions {
  readonly schema: GraphQLSchema
  readonly steps: Steps
  /** Where rows are remembered. */
  readonly rowTexts: RowTexts | undefined
  readonly plan: Plan
  readonly operation: OperationDefinitionNode
  readonly fragments: Record<string, FragmentDefinitionNode>
}

/** Undefined for what GraphQL.js does better: introspection, and whatever has to happen one after the other. */
export function compile(options: CompileOptions): Compiled | undefined {
  const { schema, plan, operation } = options
  const root = schema.getQueryType()
  const introspects = [...plan.roots.values()].some(({ coordinate }) => /\.__(schema|type)$/.test(coordinate))
  // Types that look at a value to say whether it is theirs can say no.
  const doubtful = Object.values(schema.getTypeMap()).some((type) => isObjectType(type) && type.isTypeOf)
  // Whether a copy stood in for the store is counted row by row.
  const orStale = [...plan.all()].some(({ choice }) => choice?.orStale)
  if (!root || operation.operation !== OperationTypeNode.QUERY || introspects || doubtful || orStale) return undefined
  const way = (looks: Looks | undefined): Way => ({
    root: new Compiler({ ...options, looks }).object(root, plan.roots, 'anything', undefined),
    oneAtATime: asksOneAtATime({ ...options, looks }, root, plan.roots),
    targets: looks?.targets ?? [],
  })
  return eitherWay(() => way(new Looks()), () => way(undefined))
}

type Path = GraphQLResolveInfo['path']
type Field = GraphQLField<unknown, unknown>
type Gathering = Extract<Step, { gather: unknown }>

class Compiler {
  readonly #options: CompileOptions & Vocabulary

  constructor(options: CompileOptions & Vocabulary) {
    this.#options = options
  }

  /** A level: rows of one type, and what is asked of them. */
  object(type: GraphQLObjectType, places: Places, form: Form, path: Path | undefined): Writer {
    if (isInlineRow(this.#options, type, places)) return { one: rowCode(this.#options, type, places, form) }
    // What a row points at is looked for on the way where that is all it takes. Else it is a column among others.
    const { write, deep } = levelCode({ ...this.#options, looks: undefined }, type, places, form)
    const columns = deep.map(([name, place]) => this.#field(type, place, form, { prev: path, key: name.split('.')[1]!, typename: type.name }))
    return {
      all(rows, run, times) {
        return whenReady(allThere(columns.length, (at) => columns[at]!.all(rows, run, times)), (texts) => write(rows, run, texts, times))
      },
    }
  }

  /** A field that takes more than its row. */
  #field(parent: GraphQLObjectType, place: PlanNode, form: Form, path: Path): Together {
    const field = parent.getFields()[place.written[0]!.name.value]!
    const step = this.#options.steps.at(place)
    if (!step) return this.#rowByRow(parent, field, place, form, path)
    const list = isListType(nullable(field.type))
    if ('gather' in step) return this.#gathered(parent, field, step, place, form, path)
    const below = this.#value(field.type, place, 'copies' in step ? 'copy' : 'own', path)
    const value = valueIn(step, this.#options, place, parent.name, list, form) as (row: unknown) => unknown
    return {
      all(rows, run, times) {
        countAll(run, place, rows.length, times)
        return writeAll(below, rows.map(value), run, times)
      },
    }
  }

  #gathered(parent: GraphQLObjectType, field: Field, { gather }: Gathering, place: PlanNode, form: Form, path: Path): Together {
    const level = this.object(getNamedType(field.type) as GraphQLObjectType, place.children, 'own', path)
    const shape = shapeOf(field.type)
    const bodyOf = bodyIn(this.#options.steps, parent.name, form) as (row: unknown) => Body
    return {
      all(rows, run, times) {
        countAll(run, place, rows.length, times)
        return whenReady(gather(rows.map(bodyOf), run.context.quire.reads), (gathered) => writeGathered(gathered, level, shape, run, times))
      },
    }
  }

  /** The resolver, asked for every row; what it says may have to be waited for. */
  #rowByRow(parent: GraphQLObjectType, field: Field, place: PlanNode, form: Form, path: Path): Together {
    const resolve = field.resolve ?? defaultFieldResolver
    const args = argumentsOf(field, place.written[0]!)
    const info = this.#info(parent, field.type, place, path)
    const below = this.#value(field.type, place, this.#formOf(parent, place, form), path)
    return {
      all(rows, run, times) {
        countAll(run, place, rows.length, times)
        const [given, about] = [args(run.variables), info(run)]
        const values: unknown[] = rows.map((row) => resolve(row, given, run.context, about))
        return whenReady(values.some(isPromise) ? waitedFor(values, run) : values, (answers) => writeAll(below, answers.map(settled), run, times))
      },
    }
  }

  #value(type: GraphQLOutputType, place: PlanNode, form: Form, path: Path): Writer {
    if (isInline(this.#options, type, place)) return { one: valueCode(this.#options, type, place, form) }
    const writer = this.#present(nullable(type), place, form, path)
    return isNonNullType(type) ? writeRequired(writer) : writeNullable(writer)
  }

  #present(type: GraphQLOutputType, place: PlanNode, form: Form, path: Path): Together {
    if (isListType(type)) return writeList(together(this.#value(type.ofType, place, form, path)))
    if (isLeafType(type)) return together({ one: leafText(type, true) })
    return writeDistinct(together(isObjectType(type) ? this.object(type, place.children, form, path) : this.#abstract(type, place, form, path)))
  }

  #abstract(type: GraphQLAbstractType, place: PlanNode, form: Form, path: Path): Together {
    const possible = this.#options.schema.getPossibleTypes(type)
    return writeAbstract(typeOf(type), new Map(possible.map((each) => [each.name, this.object(each, place.children, form, path)])))
  }

  /** Quire's own resolvers answer with documents, and with bodies of what is contained. What others answer with has to be looked at. */
  #formOf(parent: GraphQLObjectType, { coordinate }: PlanNode, form: Form): Form {
    return this.#options.steps.custom.has(coordinate) || (form === 'anything' && parent !== this.#options.schema.getQueryType()) ? 'anything' : 'own'
  }

  /** What GraphQL.js would tell a resolver, but for the places of lists in the path: one run is for all rows of a level. */
  #info(parentType: GraphQLObjectType, returnType: GraphQLOutputType, { written, coordinate }: PlanNode, path: Path) {
    const { schema, operation, fragments } = this.#options
    const known = { fieldName: coordinate.split('.')[1]!, fieldNodes: written, returnType, parentType, path, schema, fragments, operation, rootValue: undefined }
    return ({ variables }: Run): GraphQLResolveInfo => ({ ...known, variableValues: variables })
  }
}

function nullable(type: GraphQLOutputType): GraphQLOutputType {
  return isNonNullType(type) ? type.ofType : type
}

async function waitedFor(values: readonly unknown[], run: Run): Promise<unknown[]> {
  const waited = await Promise.all(values)
  run.lookAgain()
  return waited
}

function isPromise(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** GraphQL.js takes errors and promises for values, also inside of lists. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(settled)
  else if (value instanceof Error || value instanceof Promise) throw new GiveUp('a value is an error or a promise')
  return value
}
