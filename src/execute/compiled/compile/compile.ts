// From the plan of a query to its code, made once and run for every request that the plan serves.
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
// row's code (row-code.ts) and take no promise. With synchronous reads that includes the documents a row points at. Code
// for both kinds of reads is made here; each run chooses between them (../run.ts).

import {
  defaultFieldResolver, getNamedType, isLeafType, isListType, isNonNullType, isObjectType, OperationTypeNode,
  type FragmentDefinitionNode, type GraphQLAbstractType, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType,
  type GraphQLResolveInfo, type GraphQLSchema, type OperationDefinitionNode,
} from 'graphql'
import type { Body } from '../../../model/json/json.ts'
import type { Plan, PlanNode } from '../../../plan/plan.ts'
import { argumentsOf } from '../../variables.ts'
import { writeDocuments, writeLevel, writeOwnValue, writeResolved } from '../field-writer.ts'
import { inBatch, writeAbstract, writeDistinct, writeList, writeNullable, writeRequired, type BatchWriter, type Writer } from '../json-writer.ts'
import { leafText } from '../leaf-text.ts'
import type { RowCaches } from '../row-cache.ts'
import { createRun, type CompiledQueryRun, type QueryCode } from '../run.ts'
import { isInline, isInlineRow, LookupTargets, type CompileContext, type PlanNodes } from './inline-fields.ts'
import { asksOneAtATime } from './one-at-a-time.ts'
import { levelCode, rowCode, valueCode } from './row-code.ts'
import { bodyIn, nullable, shapeOf, typeOf, valueIn, type Form } from './row-values.ts'
import type { Steps } from './steps.ts'

export interface CompileOptions {
  readonly schema: GraphQLSchema
  readonly steps: Steps
  /** Without it, the texts of rows are not kept. */
  readonly rowCaches: RowCaches | undefined
  readonly plan: Plan
  readonly operation: OperationDefinitionNode
  readonly fragments: Record<string, FragmentDefinitionNode>
}

/** Undefined for operations that are left to GraphQL.js, such as introspection and mutations. */
export function compile(options: CompileOptions): CompiledQueryRun | undefined {
  const { schema, plan, operation } = options
  const root = schema.getQueryType()
  const introspects = [...plan.roots.values()].some(({ coordinate }) => /\.__(schema|type)$/.test(coordinate))
  // isTypeOf may reject a value.
  const checksTypes = Object.values(schema.getTypeMap()).some((type) => isObjectType(type) && type.isTypeOf)
  // Rows that a snapshot answers because the store did not are counted one by one.
  const orStale = [...plan.all()].some(({ choice }) => choice?.orStale)
  if (!root || operation.operation !== OperationTypeNode.QUERY || introspects || checksTypes || orStale) return undefined
  const codeWith = (targets: LookupTargets | undefined): QueryCode => ({
    root: new Compiler({ ...options, targets }).object(root, plan.roots, 'any', undefined),
    oneAtATime: asksOneAtATime({ ...options, targets }, root, plan.roots),
    targets: targets?.types ?? [],
  })
  return createRun(() => codeWith(new LookupTargets()), () => codeWith(undefined))
}

type Path = GraphQLResolveInfo['path']
type Field = GraphQLField<unknown, unknown>

class Compiler {
  readonly #options: CompileOptions & CompileContext

  constructor(options: CompileOptions & CompileContext) {
    this.#options = options
  }

  /** A level: rows of one type, and the fields that are selected of them. */
  object(type: GraphQLObjectType, nodes: PlanNodes, form: Form, path: Path | undefined): Writer {
    if (isInlineRow(this.#options, type, nodes)) return { one: rowCode(this.#options, type, nodes, form) }
    // If one field takes more than a lookup, all documents that the row points at come in as columns.
    const { write, columns } = levelCode({ ...this.#options, targets: undefined }, type, nodes, form)
    return writeLevel(columns.map(([name, node]) => this.#field(type, node, form, { prev: path, key: name.split('.')[1]!, typename: type.name })), write)
  }

  /** A field that takes more than its row. */
  #field(parent: GraphQLObjectType, node: PlanNode, form: Form, path: Path): BatchWriter {
    const { steps } = this.#options
    const field = parent.getFields()[node.written[0]!.name.value]!
    const step = steps.at(node)
    if (!step) return this.#resolved(parent, field, node, form, path)
    if ('lookUpAll' in step) {
      const document = this.object(getNamedType(field.type) as GraphQLObjectType, node.children, 'own', path)
      return writeDocuments(node, step.lookUpAll, bodyIn(steps, parent.name, form) as (row: unknown) => Body, document, shapeOf(field.type))
    }
    const valueOf = valueIn(step, steps, node, parent.name, isListType(nullable(field.type)), form) as (row: unknown) => unknown
    return writeOwnValue(node, valueOf, this.#value(field.type, node, 'copies' in step ? 'copy' : 'own', path))
  }

  #resolved(parentType: GraphQLObjectType, field: Field, node: PlanNode, form: Form, path: Path): BatchWriter {
    const { schema, operation, fragments } = this.#options
    const resolve = field.resolve ?? defaultFieldResolver
    const info = { fieldName: node.coordinate.split('.')[1]!, fieldNodes: node.written, returnType: field.type, parentType, path, schema, fragments, operation, rootValue: undefined }
    const below = this.#value(field.type, node, this.#formOf(parentType, node, form), path)
    return writeResolved(node, { resolve, argumentsFrom: argumentsOf(field, node.written[0]!), info }, below)
  }

  #value(type: GraphQLOutputType, node: PlanNode, form: Form, path: Path): Writer {
    if (isInline(this.#options, type, node)) return { one: valueCode(this.#options, type, node, form) }
    const writer = this.#present(nullable(type), node, form, path)
    return isNonNullType(type) ? writeRequired(writer) : writeNullable(writer)
  }

  #present(type: GraphQLOutputType, node: PlanNode, form: Form, path: Path): BatchWriter {
    if (isListType(type)) return writeList(inBatch(this.#value(type.ofType, node, form, path)))
    if (isLeafType(type)) return inBatch({ one: leafText(type, true) })
    return writeDistinct(inBatch(isObjectType(type) ? this.object(type, node.children, form, path) : this.#abstract(type, node, form, path)))
  }

  #abstract(type: GraphQLAbstractType, node: PlanNode, form: Form, path: Path): BatchWriter {
    const possible = this.#options.schema.getPossibleTypes(type)
    return writeAbstract(typeOf(type), new Map(possible.map((each) => [each.name, this.object(each, node.children, form, path)])))
  }

  /** Quire's resolvers return documents, or the bodies of contained objects; the schema's own may return anything. */
  #formOf(parent: GraphQLObjectType, { coordinate }: PlanNode, form: Form): Form {
    return this.#options.steps.custom.has(coordinate) || (form === 'any' && parent !== this.#options.schema.getQueryType()) ? 'any' : 'own'
  }
}
