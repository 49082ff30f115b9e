// A schema, read and checked: the model, how each of its fields is read, the SDL that is served and the
// containers and indexes that a store needs. Every problem of a schema is found here.

import { Kind, type DocumentNode } from 'graphql'
import { selectionOf } from '../read/selection.ts'
import { checkGeneratedTypes } from '../model/check/check-generated-types.ts'
import { checkModel } from '../model/check/check-model.ts'
import { DeclarationError } from '../model/sdl/declaration-error.ts'
import { containedPaths } from '../model/contained-fields.ts'
import { orderIndexes, type OrderIndex } from '../model/declared-indexes.ts'
import { allFields, storedPath, type DocumentType, type Field, type Model } from '../model/model.ts'
import { withListArguments } from '../model/api/list-arguments.ts'
import { mutationsSdl } from '../model/api/mutations.ts'
import { allPointers } from '../model/pointers.ts'
import { checkOwnRootFields, ownRootFields } from '../model/custom-root-fields.ts'
import { partitionPaths } from '../model/partition-key.ts'
import { placedByName } from '../model/sdl/source-location.ts'
import { readModel } from '../model/read-model.ts'
import { joined, readSdl } from '../model/sdl/read-sdl.ts'
import { rootFieldsSdl } from '../model/api/root-fields.ts'
import { ownerField, ownerPath } from '../model/rule.ts'
import { servedSdl } from '../model/sdl/served-sdl.ts'
import { ownContainer, ownLayout } from '../store/own-container.ts'
import { asDeclared, type ContainerLocations } from '../store/migration/container-locations.ts'
import { checkTenants, tenantedLayout } from '../store/tenants/tenant-layout.ts'
import { checkDerive } from './values/derived.ts'
import { kindOf, prepareFields } from './kinds.ts'
import type { ContainerIndex, Derive, Relation, KindContext, Value } from './kind.ts'
import type { ContainerLayout } from '../store/store.ts'
import { changeSubscriptions, changeSubscriptionsSdl } from '../model/api/change-subscriptions.ts'
import { subscribedTypesIn } from './subscribed-types.ts'

/** The options of a gateway that concern its schema. */
export interface SchemaOptions {
  /** SDL that declares how things are stored, as text or parsed. */
  readonly typeDefs: string | DocumentNode
  /** The functions behind `@derived` fields. */
  readonly derive?: Derive
  /** Whether tenants share the store and each sees only its own documents. The token names the tenant. */
  readonly tenants?: boolean
}

export interface Declaration {
  readonly model: Model
  readonly prepared: (field: Field) => Value | Relation
  readonly kindContext: KindContext
  readonly sdl: DocumentNode
  readonly layout: readonly ContainerLayout[]
  /** The types that subscriptions can return. */
  readonly subscribedTypes: ReadonlySet<DocumentType>
  /** The `Type.field` of the root fields that the schema adds, which resolvers answer. */
  readonly rootFields: readonly string[]
  /** Whether several tenants share the store. */
  readonly tenants: boolean
  /** Where the documents of its containers are. */
  readonly locations: ContainerLocations
  /** The same schema over documents in other containers. */
  readonly at: (locations: ContainerLocations) => Declaration
}

/** From SDL as text or parsed. */
export function readDeclaration(given: string | DocumentNode, derive: Derive = {}, tenants = false, locations: ContainerLocations = asDeclared): Declaration {
  const own = typeof given === 'string' ? readSdl(given) : given
  const { model, sdl } = readModel(own, locations.containers)
  const rootFields = ownRootFields(own)
  const problems = [
    ...checkModel(model),
    ...checkContainers(model),
    ...checkOwnRootFields(rootFields, model),
    ...allFields(model).flatMap((field) => kindOf(field).check(field, model, derive)),
    ...checkDerive(derive, model),
    ...(tenants ? checkTenants(model) : []),
  ]
  refuse(problems, own)
  // Only names that are right make SDL that can be read.
  const defined = definedTypes(sdl)
  const subscriptions = changeSubscriptionsSdl(model, defined.has('Subscription'))
  const generated = joined([rootFieldsSdl(model, defined), mutationsSdl(model), ...(subscriptions ? [subscriptions] : [])])
  refuse(checkGeneratedTypes(own, generated), own)
  const prepared = prepareFields(model, derive)
  const declaration: Declaration = {
    model,
    prepared,
    kindContext: { model, derive, prepared },
    sdl: servedSdl(joined([withListArguments(sdl, model), generated])),
    layout: [ownLayout, ...(tenants ? tenantedLayout(layoutOf(model)) : layoutOf(model))],
    subscribedTypes: subscribedTypesIn(sdl, model).union(new Set(changeSubscriptions(model).values())),
    rootFields,
    tenants,
    locations,
    at: (others) => (others.generation === locations.generation ? declaration : readDeclaration(given, derive, tenants, others)),
  }
  return declaration
}

/** What Quire keeps for itself would be served, and written, as documents. */
function checkContainers({ documents }: Model): string[] {
  return [...documents.values()].filter(({ container }) => container === ownContainer).map(({ name }) => `${name}: the container "${ownContainer}" is where Quire keeps its own documents. Store it in another one.`)
}

function refuse(problems: readonly string[], own: DocumentNode): void {
  if (problems.length > 0) throw new DeclarationError(problems.map((problem) => placedByName(problem, own)))
}

/** The containers and indexes that a model needs. */
export function layoutOf(model: Model): ContainerLayout[] {
  const indexes: ContainerIndex[] = [
    ...allFields(model).flatMap((field) => kindOf(field).indexes?.(field, model) ?? []),
    // When a document changes or is deleted, the documents that point at it are looked up.
    ...allPointers(model).map(({ holder, path }) => ({ ...selectionOf(holder), equals: path })),
    ...[...model.documents.values()].flatMap((type) => orderIndexes(type, model).map((index) => orderLayout(type, index))),
    ...[...model.documents.values()].flatMap((type) => containedPaths(type, model).map((path) => ({ ...selectionOf(type), ...(path.includes('*') ? { equals: path } : { orderBy: path }) }))),
    // Viewers who may see only their own documents filter by owner. References to owners are indexed already.
    ...[...model.documents.values()].flatMap((type) => {
      const owner = ownerField(type, type.readable)
      return owner?.leaf && owner.name !== 'id' ? [{ ...selectionOf(type), equals: ownerPath(owner)! }] : []
    }),
  ]
  const containers = Map.groupBy(model.documents.values(), (type) => type.container)
  return [...containers].map(([name, types]) => ({
    name,
    partitionKey: partitionPaths(types[0]!.partitionKey),
    indexes: indexes.filter((index) => index.container === name).map(({ container: _, ...index }) => index),
    followed: true,
    untyped: types.every(({ discriminator }) => discriminator === undefined),
  }))
}

function orderLayout(type: DocumentType, { pointer, orders: [first, ...further] }: OrderIndex): ContainerIndex {
  const thenBy = further.map(({ path, descending }) => ({ path, isOpposite: descending !== first!.descending }))
  return { ...selectionOf(type), ...(pointer ? { equals: storedPath(pointer)! } : {}), orderBy: first!.path, ...(thenBy.length > 0 ? { thenBy } : {}) }
}

function definedTypes(sdl: DocumentNode): Set<string> {
  return new Set(sdl.definitions.flatMap((node) => (node.kind === Kind.OBJECT_TYPE_DEFINITION ? [node.name.value] : [])))
}
