// From the plan of a query to what writes its answer: code, made once and run for every request that the plan serves, or the
// same from closures for a query that is asked for the first time.
//
//   plan      Query.posts ── PostConnection.nodes ── Post.title, Post.writers ── Writer.name
//
//   code      posts, nodes    by their resolvers, once each
//             level of Post   for each row: '{"title":' + string(row.body.title) + ',"writers":' + columns[0][at] + '}'
//               columns[0]    the documents behind `writers`, looked up in one batch for all rows of the level,
//                             each distinct one written once by …
//             level of Writer for each row: '{"name":' + string(name(row.body)) + '}'
//
// Levels are resolved breadth first. Fields that can be written from a row alone, snapshots included, are part of the
// row's code (row-code.ts) and take no promise. Where the
// store has its documents in this process, that includes the documents a row points at; on other stores they are read in
// waves. The run chooses between the two (../run.ts).

import {
  defaultFieldResolver, getNamedType, isLeafType, isListType, isNonNullType, isObjectType, OperationTypeNode,
  type FragmentDefinitionNode, type GraphQLAbstractType, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType,
  type GraphQLResolveInfo, type GraphQLSchema, type OperationDefinitionNode,
} from 'graphql'
import type { Body } from '../../../model/json/json.ts'
import { asksForMore, type Plan, type PlanNode } from '../../../plan/plan.ts'
import type { Asker } from '../../../read/read-log.ts'
import { Growth, type AnswerLimits } from '../../answer/answer-too-large.ts'
import { connectionResolvers, type ConnectionField } from '../../relay-connection.ts'
import { argumentsOf } from '../../arguments/variables.ts'
import { writeDocuments, writeLevel, writeOwnValue, writePages, writeResolved, type PagesOf } from '../field-writer.ts'
import { inBatch, writeAbstract, writeDistinct, writeObjects, writeList, writeNullable, writeRequired, type BatchWriter, type Writer } from '../json-writer.ts'
import { leafText } from '../leaf-text.ts'
import type { RowCaches } from '../row-cache.ts'
import { createRun, type CompiledQueryRun, type QueryCode } from '../run.ts'
import { isInline, isContained, isInlineRow, LookupTargets, type CompileContext, type PlanNodes } from './inline-fields.ts'
import type { RowWriters } from './row-code.ts'
import { bodyIn, nullable, shapeOf, typeOf, valueIn, type Form } from './row-values.ts'
import type { Step, Steps } from './steps.ts'

export interface CompileOptions {
  readonly schema: GraphQLSchema
  readonly steps: Steps
  /** What writes its rows: generated code, or for a query that is asked for the first time, closures. */
  readonly rows: RowWriters
  /** Without it, the texts of rows are not kept. */
  readonly rowCaches: RowCaches | undefined
  readonly plan: Plan
  readonly operation: OperationDefinitionNode
  readonly fragments: Record<string, FragmentDefinitionNode>
  readonly limits: AnswerLimits
}

/** Nodes that types share are compiled for each: beyond so many, GraphQL.js answers. */
const maxPaths = 5000

/** Undefined for operations that are left to GraphQL.js, such as introspection and mutations. */
export function compile(options: CompileOptions): CompiledQueryRun | undefined {
  const { schema, plan, operation } = options
  const root = schema.getQueryType()
  if (!root || operation.operation !== OperationTypeNode.QUERY || ![...plan.roots.values()].every(isNoIntrospection) || plan.paths > maxPaths) return undefined
  for (const node of plan.all()) if (!canWrite(node, options.steps)) return undefined
  const codeWith = (targets: LookupTargets | undefined): QueryCode => {
    const rootWriter = new Compiler({ ...options, targets }).object(root, plan.roots, 'any', { path: undefined, depth: 0 }, undefined)
    return { root: rootWriter, targets: targets?.all ?? [], counted: targets?.counted ?? [], mixed: targets?.areMixed ?? false, limits: options.limits }
  }
  return createRun(() => codeWith(new LookupTargets()), () => codeWith(undefined), isOneCall(plan, options.steps))
}

/** Whether an answer is one call of the store at most, which shows one moment by itself. What the schema's own resolvers read is their own affair: they are not run twice. */
function isOneCall(plan: Plan, { custom }: Steps): boolean {
  const nodes = [...plan.all()]
  if (nodes.some(({ coordinate }) => custom.has(coordinate))) return true
  return plan.roots.size === 1 && nodes.every(({ coordinate, choice }) => choice?.from !== 'REFERENCE' && !coordinate.endsWith('Connection.totalCount') && !(coordinate.endsWith('Aggregate') && !coordinate.startsWith('Query.')))
}

/** Whether isTypeOf may reject a value of some type. Then everything is left to GraphQL.js. */
export function checksTypes(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some((type) => isObjectType(type) && type.isTypeOf)
}

function isNoIntrospection({ coordinate }: PlanNode): boolean {
  return !coordinate.endsWith('.__schema') && !coordinate.endsWith('.__type')
}

/**
 * Rows that a snapshot answers because the store did not are counted one by one. A resolver of the schema's own that returns a
 * connection knows best what is in it.
 */
function canWrite({ coordinate, choice, children }: PlanNode, { custom }: Steps): boolean {
  return !choice?.orStale && !(custom.has(coordinate) && [...children.values()].some((child) => child.coordinate.split('.')[0]!.endsWith('Connection')))
}

/** Where in the operation: the path of the answer, and how many waves below the root. */
interface AnswerPosition {
  readonly path: GraphQLResolveInfo['path'] | undefined
  readonly depth: number
}

type Field = GraphQLField<unknown, unknown>

class Compiler {
  readonly #options: CompileOptions & CompileContext

  constructor(options: CompileOptions & CompileContext) {
    this.#options = options
  }

  /** A level: rows of one type, and the fields that are selected of them. */
  object(type: GraphQLObjectType, nodes: PlanNodes, form: Form, place: AnswerPosition, shownBy: PlanNode | undefined): Writer {
    if (isInlineRow(this.#options, type, nodes)) return { one: this.#options.rows.row(this.#options, type, nodes, form, place.depth, shownBy), growth: this.#growth(shownBy) }
    const { write, columns } = this.#options.rows.level(this.#options, type, nodes, form)
    return writeLevel(columns.map(([name, node]) => this.#field(type, node, form, { path: { prev: place.path, key: name.split('.')[1]!, typename: type.name }, depth: place.depth })), write, this.#growth(shownBy))
  }

  /** A field that takes more than its row. */
  #field(parent: GraphQLObjectType, node: PlanNode, form: Form, place: AnswerPosition): BatchWriter {
    const { steps } = this.#options
    const field = parent.getFields()[node.written[0]!.name.value]!
    const step = steps.at(node)
    if (!step || 'byId' in step) {
      // What a resolver of Quire's own reads is known for a root document only; the schema's own may read anything.
      this.#readsByKey(step && [step.byId.container])
      return this.#resolved(parent, field, node, form, place)
    }
    if ('listing' in step) {
      this.#readsByKey(step.readByKey)
      return this.#pages(step, parent, field, node, form, place)
    }
    if ('lookUpAll' in step) {
      this.#readsByKey(step.points && [step.points.target.container])
      const document = this.object(getNamedType(field.type) as GraphQLObjectType, node.children, 'own', below(place), node)
      return writeDocuments(node, step.lookUpAll, bodyIn(steps, parent.name, form) as (row: unknown) => Body, document, shapeOf(field.type, node, this.#options.limits))
    }
    const valueOf = valueIn(step, steps, node, parent.name, isListType(nullable(field.type)), form) as (row: unknown) => unknown
    return writeOwnValue(node, valueOf, this.#value(field.type, node, 'copies' in step ? 'copy' : 'own', place))
  }

  /** Notes from which containers documents are read by key; undefined for any. */
  #readsByKey(containers: readonly string[] | undefined): void {
    const { targets } = this.#options
    if (!targets) return
    if (containers) for (const container of containers) targets.readByKey?.add(container)
    else targets.readByKey = undefined
  }

  /** A page of a list of each row. */
  #pages({ listing }: Extract<Step, { listing: unknown }>, parent: GraphQLObjectType, field: Field, node: PlanNode, form: Form, place: AnswerPosition): BatchWriter {
    const { steps } = this.#options
    const bodyOf = bodyIn(steps, parent.name, form) as (row: unknown) => Body
    const argumentsFrom = argumentsOf(field, node.written[0]!)
    const selected = [...new Set([...node.children.values()].map(({ written }) => written[0]!.name.value))].filter((name) => name in connectionResolvers) as ConnectionField[]
    // A count of the list would go with the same wave, and so would another root field.
    const alone = this.#options.plan.roots.size === 1 && parent === this.#options.schema.getQueryType() && !selected.includes('totalCount')
    const asker: Asker = { field: node.coordinate, place: place.path!, stage: 0, alone }
    const pages: PagesOf = { listing, argumentsFrom, asker, options: { ...steps.pages, peek: asksForMore(node) }, selected }
    return writePages(node, pages, bodyOf, this.#value(field.type, node, 'own', below(place)))
  }

  #resolved(parentType: GraphQLObjectType, field: Field, node: PlanNode, form: Form, place: AnswerPosition): BatchWriter {
    const { schema, operation, fragments } = this.#options
    const resolve = field.resolve ?? defaultFieldResolver
    const info = { fieldName: node.coordinate.split('.')[1]!, fieldNodes: node.written, returnType: field.type, parentType, path: place.path!, schema, fragments, operation, rootValue: undefined }
    const writer = this.#value(field.type, node, this.#formOf(parentType, node, form), below(place))
    return writeResolved(node, { resolve, argumentsFrom: argumentsOf(field, node.written[0]!), info }, writer)
  }

  #value(type: GraphQLOutputType, node: PlanNode, form: Form, place: AnswerPosition): Writer {
    if (isInline(this.#options, type, node)) return { one: this.#options.rows.value(this.#options, type, node, form, place.depth), growth: this.#growth(node) }
    const writer = this.#present(nullable(type), node, form, place)
    return isNonNullType(type) ? writeRequired(writer) : writeNullable(writer)
  }

  #present(type: GraphQLOutputType, node: PlanNode, form: Form, place: AnswerPosition): BatchWriter {
    if (isListType(type)) return writeList(inBatch(this.#value(type.ofType, node, form, place)), { node, maxBytes: this.#options.limits.bytes })
    if (isLeafType(type)) return inBatch({ one: leafText(type, true), growth: this.#growth(node) })
    const objects = writeDistinct(inBatch(isObjectType(type) ? this.object(type, node.children, form, place, node) : this.#abstract(type, node, form, place)))
    return form === 'own' && isContained(this.#options, type) ? writeObjects(objects) : objects
  }

  #abstract(type: GraphQLAbstractType, node: PlanNode, form: Form, place: AnswerPosition): BatchWriter {
    const possible = this.#options.schema.getPossibleTypes(type)
    return writeAbstract(typeOf(type), new Map(possible.map((each) => [each.name, this.object(each, node.children, form, place, node)])))
  }

  #growth(shownBy: PlanNode | undefined): Growth {
    return new Growth(shownBy, this.#options.limits.bytes)
  }

  /** Quire's resolvers return documents, the bodies of contained objects, or copies; the schema's own may return anything. */
  #formOf(parent: GraphQLObjectType, { coordinate, choice }: PlanNode, form: Form): Form {
    return this.#options.steps.custom.has(coordinate) || choice?.from === 'SNAPSHOT' || (form === 'any' && parent !== this.#options.schema.getQueryType()) ? 'any' : 'own'
  }
}

/** One wave further down. */
function below({ path, depth }: AnswerPosition): AnswerPosition {
  return { path, depth: depth + 1 }
}
