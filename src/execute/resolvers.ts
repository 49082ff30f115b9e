// Resolvers, built from the model. They decide nothing: the plan has chosen between snapshot and lookup, and the reads batch
// the lookups.

import type { GraphQLResolveInfo } from 'graphql'
import type { Viewer } from '../auth/viewer.ts'
import type { Body } from '../model/json/json.ts'
import type { Cursors } from '../model/keys/cursor.ts'
import type { ContainedType, DocumentType, Field, ObjectType } from '../model/model.ts'
import { aggregateFields, type AggregateArguments } from '../plan/aggregates.ts'
import { nodeArgument, oneOf, rootArguments, type PageArguments, type PageSizes, type ListArguments } from '../plan/field-arguments.ts'
import { narrows, type NestedArguments } from '../plan/nested-list.ts'
import { uniqueFields } from '../model/values/unique.ts'
import type { Scalar } from '../store/query.ts'
import { asksForMore, type Plan, type PlanNode } from '../plan/plan.ts'
import type { Listing } from '../read/listing.ts'
import type { Asker } from '../read/read-log.ts'
import type { Reads } from '../read/reads.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { Relation } from '../relations/kind.ts'
import { whenRead, type MaybePending } from '../store/maybe-promise.ts'
import type { StoredDocument } from '../store/store.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import { refuseToMutate } from '../write/mutations.ts'
import { readAggregate } from './aggregate/read-aggregate.ts'
import type { AnswerSize } from './answer/answer-size.ts'
import { Connection, connectionResolvers, rootListing } from './relay-connection.ts'
import { createNestedLists } from './nested-list.ts'
import { bodyOf, containedValues, documentValues } from './field-values.ts'
import type { TenantScope } from './tenant-scope.ts'

/** The context as Quire's resolvers use it. */
export interface RequestContext {
  readonly quire: { readonly reads: Reads; readonly plan: Plan; readonly size?: AnswerSize | undefined }
}

/** What Quire puts into the context of all resolvers. */
export function resolverContext({ changes }: TenantScope, viewer: Viewer | undefined, plan: Plan, reads: Reads, size?: AnswerSize, mutate = refuseToMutate) {
  // No getter: an object literal with an accessor costs a compiled read a microsecond.
  return { quire: { plan, reads, size, viewer, mutate, changes: changes.seenBy(reads.access) } }
}

export interface ResolverOptions {
  readonly declaration: Declaration
  readonly cursors: Cursors
  readonly pageSizes: PageSizes
}

type Resolver<S = never> = (source: S, args: never, context: RequestContext, info: GraphQLResolveInfo) => unknown
type Resolvers = Record<string, Record<string, Resolver>>

export function createResolvers(options: ResolverOptions): Resolvers {
  const { model } = options.declaration
  const documents = [...model.documents.values()]
  const types = new Set([...documents, ...model.contained.values()].map(({ name }) => name))
  return {
    Query: Object.assign({ node: nodeResolver(options), ...aggregateResolvers('Query', options) }, ...documents.map((type) => rootResolvers(type, options))) as Record<string, Resolver>,
    Node: { __resolveType: (source: { typename: string }) => source.typename },
    ...Object.fromEntries([...model.unions].map(([name, members]) => [name, { __resolveType: (source: Body) => shapeOf(source, members) }])),
    ...Object.fromEntries([...model.contained.values()].map((type) => [type.name, containedResolvers(type, options)])),
    ...Object.fromEntries(documents.map((type) => [type.name, documentResolvers(type, options)])),
    ...Object.fromEntries([...types].flatMap((name) => [[`${name}Connection`, connectionResolvers]])),
  }
}

function documentResolvers(type: DocumentType, options: ResolverOptions): Record<string, Resolver> {
  return { ...relationResolvers(type, bodyOf, options), ...aggregateResolvers(type.name, options), ...Object.fromEntries(documentValues(type, options.declaration)) }
}

function containedResolvers(type: ContainedType, options: ResolverOptions): Record<string, Resolver> {
  return { ...relationResolvers(type, (holder: Body) => holder, options), ...Object.fromEntries(containedValues(type, options.declaration)) }
}

function relationResolvers(type: ObjectType, holderOf: (source: never) => Body, options: ResolverOptions): Record<string, Resolver> {
  return Object.fromEntries([...type.fields.values()].flatMap((field) => {
    const found = options.declaration.prepared(field)
    return 'value' in found ? [] : [[field.name, relationResolver(field, found, holderOf, options)]]
  }))
}

function relationResolver<S>(field: Field, relation: Relation, holderOf: (source: S) => Body, options: ResolverOptions): Resolver<S> {
  const nested = createNestedLists(field, relation, options.declaration)
  const isConnection = field.shape === 'connection'
  return (source: S, args: PageArguments & NestedArguments, { quire: { reads, plan, size } }, info) => {
    const node = plan.at(info)
    const holder = holderOf(source)
    const asker: Asker = { field: field.coordinate, place: info.path, stage: 0 }
    node.resolved++
    const list = nested && narrows(args, isConnection) ? nested : undefined
    const copies = () => (list ? list.copies(holder, args, reads, node) : relation.copy?.(holder))
    if (node.choice?.from === 'SNAPSHOT') {
      relation.spare?.(holder, reads, asker)
      return copies()
    }
    if (list && isConnection) return connect(list.listing(holder, args, reads, asker, node), args, node, options)
    const tooMany = node.choice?.fresh ? undefined : relation.points && size?.lookUp(relation.points.ids(holder).length, info)
    if (tooMany) return tooMany
    const lookUp = (of: Asker): unknown => (node.choice?.fresh ? relation.fresh! : relation.lookUp)(holder, reads, of)
    const found = list ? list.documents(lookUp as () => MaybePending<readonly (StoredDocument | undefined)[]>, args, reads, asker, node) : lookUp(asker)
    if (node.choice?.orStale && found instanceof Promise) {
      return found.catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw error
        node.fellBack++
        if (reads.readLog) reads.readLog.usedCopies = true
        return copies()
      })
    }
    return isConnection ? connect(found as Listing, args, node, options) : found
  }
}

function rootResolvers(type: DocumentType, options: ResolverOptions): Record<string, Resolver> {
  const { one } = rootArguments(type, options.declaration)
  const listing = rootListing(type, options.declaration)
  const byValue = uniqueFields(type).map(({ field, rootField, path }): [string, Resolver] => {
    const query = oneOf(type)
    return [rootField, (_: unknown, args: Record<string, Scalar>, { quire: { reads } }, info) => whenRead(reads.page(query, { path, value: args[field.name]! }, askerOf(info)), ([found]) => found)]
  })
  return {
    ...Object.fromEntries(byValue),
    [type.singular]: (_: unknown, args: Record<string, unknown>, { quire: { reads } }, info) => {
      const { id, known } = one(args)
      return reads.document(type, id, askerOf(info), known)
    },
    [type.plural]: (_: unknown, args: PageArguments & ListArguments, { quire: { reads, plan } }, info) => {
      const node = plan.at(info)
      return connect(listing(args, reads, askerOf(info), node), args, node, options)
    },
  }
}

/** The fields of a type, or of Query, that aggregate documents. */
function aggregateResolvers(typeName: string, { declaration }: ResolverOptions): Record<string, Resolver> {
  return Object.fromEntries([...aggregateFields(declaration)].flatMap(([coordinate, field]): [string, Resolver][] => {
    const [owner, name] = coordinate.split('.')
    return owner !== typeName ? [] : [[name!, (source: never, args: AggregateArguments, { quire: { reads, plan } }, info) =>
      readAggregate(field, args, plan.at(info), reads, askerOf(info), field.belonging?.to(bodyOf(source)))]]
  }))
}

function nodeResolver({ declaration: { model } }: ResolverOptions): Resolver {
  return (_: unknown, args: { nodeId: string }, { quire: { reads } }, info) => {
    const found = nodeArgument(model, args)
    return whenRead(reads.located(found.type, found.key, askerOf(info)), (document) => document && { ...document, typename: found.type.name })
  }
}

function connect(listing: Listing, args: PageArguments, node: PlanNode, { pageSizes, cursors }: ResolverOptions): Connection {
  return new Connection(listing, { args, sizes: pageSizes, cursors, peek: asksForMore(node) })
}

function askerOf(info: GraphQLResolveInfo): Asker {
  return { field: `${info.parentType.name}.${info.fieldName}`, place: info.path, stage: 0 }
}

/** The shape of an object of a union: the one whose property it has. */
export function shapeOf(source: Body, members: readonly ContainedType[]): string | undefined {
  return members.find(({ has }) => has !== undefined && source[has] !== undefined)?.name
}
