// How compiled code gets the fields of the model: from the row, or for all rows of a level at once. A field without a step
// is resolved row by row by its resolver, whether Quire's or the schema's own.

import type { Body } from '../../../model/json/json.ts'
import type { DocumentType, ObjectType } from '../../../model/model.ts'
import type { PlanNode } from '../../../plan/plan.ts'
import type { Reads } from '../../../read/reads.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import type { LookedUpLevel, Relation } from '../../../relations/kind.ts'
import type { MaybePending } from '../../../store/maybe-promise.ts'
import type { Cursors } from '../../../model/keys/cursor.ts'
import type { ListArguments, PageArguments, PageSizes } from '../../../plan/field-arguments.ts'
import type { Listing } from '../../../read/listing.ts'
import type { Asker } from '../../../read/read-log.ts'
import { narrows } from '../../../plan/nested-list.ts'
import { connectionResolvers, rootListing } from '../../relay-connection.ts'
import { createNestedLists, type NestedLists } from '../../nested-list.ts'
import { containedValues, documentValues, type Plain } from '../../field-values.ts'

export type Step =
  /** A property of the body of a row. */
  | { readonly property: string }
  /** A value that follows from the body of a row. */
  | { readonly value: (body: Body) => unknown }
  /** A value that follows from the row as resolvers see it. */
  | { readonly plain: Plain<never> }
  /** The snapshots in the body of a row. */
  | { readonly copies: (body: Body) => readonly Body[] }
  /** Documents, looked up for all rows at once; by the row's code where the store has them in this process and `points` tells their ids. */
  | { readonly lookUpAll: (bodies: readonly Body[], reads: Reads) => MaybePending<LookedUpLevel>; readonly points: Relation['points'] }
  /** A list of which a page is shown. */
  | {
      readonly listing: (holder: Body, args: PageArguments & ListArguments, reads: Reads, asker: Asker) => Listing
      /** The containers from which its pages read documents by key. */
      readonly readByKey: readonly string[]
    }
  /** The document of this type whose id is an argument; where the store has it in this process, the code looks it up. */
  | { readonly byId: DocumentType }

export interface Steps {
  /** The step of a field, as the plan has chosen. */
  readonly at: (node: PlanNode) => Step | undefined
  /** The values that resolvers read from rows of any form, by `Type.field`. */
  readonly plain: ReadonlyMap<string, Plain<never>>
  /** The names of types whose rows are documents. */
  readonly documents: ReadonlySet<string>
  /** How pages are made. */
  readonly pages: PageOptions
  /** The fields with resolvers of the schema's own. They have no steps. */
  readonly custom: ReadonlySet<string>
}

export interface PageOptions {
  readonly cursors: Cursors
  readonly sizes: PageSizes
}

export function createSteps(declaration: Declaration, custom: ReadonlySet<string>, pages: PageOptions): Steps {
  const { model: { documents, contained }, prepared } = declaration
  const types: readonly ObjectType[] = [...documents.values(), ...contained.values()]
  const connections = new Set(types.flatMap((type) => [...type.fields.values()].filter(({ shape }) => shape === 'connection').map(({ coordinate }) => coordinate)))
  const fields = new Map(types.flatMap((type) => [...type.fields.values()].map((field) => [field.coordinate, prepared(field)])))
  const nested = new Map(types.flatMap((type) => [...type.fields.values()].map((field) => {
    const relation = prepared(field)
    return [field.coordinate, 'value' in relation ? undefined : createNestedLists(field, relation, declaration)] as const
  })))
  const plain = new Map([
    ...[...documents.values()].flatMap((type) => withCoordinates(type.name, documentValues(type, declaration))),
    ...[...contained.values()].flatMap((type) => withCoordinates(type.name, containedValues(type, declaration))),
  ])
  const roots = new Map([...documents.values()].map((type) => [`Query.${type.plural}`, rootListing(type, declaration)]))
  const known = new Map<string, Step>([...[...documents.values()].map((type): [string, Step] => [`Query.${type.singular}`, { byId: type }]), ...types.flatMap(connectionSteps)])
  return {
    at(node) {
      const { coordinate } = node
      if (custom.has(coordinate)) return undefined
      const listing = roots.get(coordinate)
      if (listing) return { listing: (_, args, reads, asker) => listing(args, reads, asker, node), readByKey: [] }
      const step = known.get(coordinate)
      if (step) return step
      const found = fields.get(coordinate)
      if (found && !('value' in found)) return relationStep(found, node, connections.has(coordinate), asksForPart(node) ? nested.get(coordinate) : undefined)
      if (found) return found.property === undefined ? { value: found.value } : { property: found.property }
      const value = plain.get(coordinate)
      return value && { plain: value }
    },
    plain,
    documents: new Set(documents.keys()),
    pages,
    custom,
  }
}

/** Whether a list has arguments that are not those of pages. */
function asksForPart({ written: [field] }: PlanNode): boolean {
  return field!.arguments?.some(({ name }) => name.value === 'filter' || name.value === 'orderBy' || name.value === 'first') ?? false
}

function withCoordinates(type: string, values: ReadonlyMap<string, Plain<never>>): [string, Plain<never>][] {
  return [...values].map(([name, value]) => [`${type}.${name}`, value])
}

/** The fields of a type's connection and of its edges, as `readConnection` returns them. */
function connectionSteps({ name }: ObjectType): [string, Step][] {
  return [...Object.keys(connectionResolvers).map((field) => [`${name}Connection`, field]), [`${name}Edge`, 'node'], [`${name}Edge`, 'cursor']]
    .map(([type, field]) => [`${type}.${field}`, { property: field! }])
}

/** From the snapshot; page by page; by one batch of lookups, where the relation can; else row by row. */
function relationStep({ copy, copies, lookUp, fresh, lookUpAll, points, plannedReads }: Relation, node: PlanNode, isConnection: boolean, nested: NestedLists | undefined): Step | undefined {
  const { choice } = node
  // A list of ids of which a part is asked for: its resolver narrows it.
  if (nested && !isConnection) return undefined
  if (isConnection) {
    const readByKey = plannedReads({ limit: 1000, after: undefined, backwards: false, peek: false }).stages.filter(({ by }) => by === 'key').map(({ container }) => container)
    const listing = (holder: Body, _: unknown, reads: Reads, asker: Asker): Listing => (choice?.fresh ? fresh! : lookUp)(holder, reads, asker) as Listing
    return { listing: nested ? (holder, args, reads, asker) => (narrows(args, true) ? nested.listing(holder, args, reads, asker, node) : listing(holder, args, reads, asker)) : listing, readByKey }
  }
  if (choice?.from === 'SNAPSHOT') return copies ? { copies } : copy && { value: copy }
  return lookUpAll && !choice?.fresh ? { lookUpAll, points } : undefined
}
