// Random operations: valid ones, over any schema that Quire serves. What documents there are comes in
// from outside; nothing here knows a domain, and nothing here runs an operation.

import type { Arbitrary } from 'fast-check'
import fc from '../fast-check.ts'
import {
  getNamedType, getNullableType, isAbstractType, isCompositeType, isInterfaceType, isLeafType, isListType, isObjectType,
  GraphQLNonNull, GraphQLString, type GraphQLCompositeType, type GraphQLField, type GraphQLNamedType, type GraphQLSchema,
} from 'graphql'
import type { DirectiveChoice, FieldChoice, FragmentChoice, Room, Selection } from './operation-tree.ts'
import { pageSize, randomArguments, randomConditions, randomRead, type KnownValues } from './random-arguments.ts'
import { writeOperation, type WrittenOperation } from './write-operation.ts'

/** Whether a field may be asked for. */
export type Allowed = (parent: GraphQLNamedType, field: GraphQLField<unknown, unknown>) => boolean

export function randomOperation(schema: GraphQLSchema, known: KnownValues, allowed: Allowed = () => true): Arbitrary<WrittenOperation> {
  const directives = randomRead(schema.getDirective('read')!, 3)
  const selections = new Selections(schema, known, allowed).below(schema.getQueryType()!, wholeRoom)
  return fc.record({ directives, selections }).map(writeOperation).map(readable)
}

const wholeRoom: Room = { depth: 6, rows: 400, fragments: 2 }

/** How long a list is taken to be that no argument limits. */
const listLength = 4

type Field = GraphQLField<unknown, unknown>

/** What can be selected of each type in each room, made once: all of it together is a graph and not a tree. */
class Selections {
  readonly #schema: GraphQLSchema
  readonly #known: KnownValues
  readonly #allowed: Allowed
  readonly #conditions: Arbitrary<readonly DirectiveChoice[]>
  readonly #made = new Map<string, Arbitrary<Selection[]>>()

  constructor(schema: GraphQLSchema, known: KnownValues, allowed: Allowed) {
    this.#schema = schema
    this.#known = known
    this.#allowed = allowed
    this.#conditions = randomConditions(schema.getDirective('skip')!, schema.getDirective('include')!)
  }

  below(type: GraphQLCompositeType, room: Room): Arbitrary<Selection[]> {
    const name = `${type.name} ${JSON.stringify(room)}`
    const made = this.#made.get(name) ?? this.#selections(type, room)
    this.#made.set(name, made)
    return made
  }

  #selections(type: GraphQLCompositeType, room: Room): Arbitrary<Selection[]> {
    const fields = 'getFields' in type ? Object.values(type.getFields()).filter((field) => this.#allowed(type, field)) : []
    const leaves = fields.filter(isLeaf).map((field) => this.#field(type, field, room))
    const below = (some: readonly Field[]) => some.flatMap((field) => {
      const left = roomBelow(type, field, room)
      return left ? [this.#field(type, field, left)] : []
    })
    const [aggregates, others] = [below(fields.filter(isAggregate)), below(fields.filter((field) => !isLeaf(field) && !isAggregate(field)))]
    const any = oneOf<Selection>([
      { weight: 5, of: leaves },
      { weight: 14, of: others },
      { weight: 2, of: aggregates },
      { weight: 1, of: [this.#typename()] },
      { weight: isAbstractType(type) ? 12 : 2, of: this.#fragments(type, room) },
    ])
    const some = atLeastOne(any, 3)
    if (!isDocument(type)) return some
    // Copies answer little but a few leaves, so there have to be enough such selections.
    return fc.oneof({ weight: 1, arbitrary: atLeastOne(fc.oneof(...leaves), 2) }, { weight: 2, arbitrary: some })
  }

  #field(parent: GraphQLCompositeType, field: Field, below: Room): Arbitrary<FieldChoice> {
    const type = getNamedType(field.type)
    return fc.record({
      kind: fc.constant('field' as const),
      name: fc.constant(field.name),
      type: fc.constant(field.type),
      alias: this.#alias(parent, field),
      arguments: randomArguments(this.#known, parent.name, field),
      directives: this.#directives(isCompositeType(type) ? 8 : 30),
      selections: isCompositeType(type) ? this.below(type, below) : fc.constant([]),
    })
  }

  /** Aliases of a field's own, and the names of its neighbours, behind which it could be mistaken for them. */
  #alias(parent: GraphQLCompositeType, { name }: Field): Arbitrary<string | undefined> {
    const neighbours = 'getFields' in parent ? Object.keys(parent.getFields()).filter((other) => other !== name) : []
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: fc.constantFrom(`${name}A`, `${name}B`) },
      ...(neighbours.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...neighbours) }] : []),
    )
  }

  #typename(): Arbitrary<FieldChoice> {
    return fc.record({
      kind: fc.constant('field' as const),
      name: fc.constant('__typename'),
      type: fc.constant(new GraphQLNonNull(GraphQLString)),
      alias: fc.constantFrom(undefined, 'kind'),
      arguments: fc.constant({}),
      directives: this.#conditions,
      selections: fc.constant([]),
    })
  }

  #fragments(type: GraphQLCompositeType, room: Room): Arbitrary<FragmentChoice>[] {
    const below = { ...room, fragments: room.fragments - 1 }
    const members = isAbstractType(type) ? this.#schema.getPossibleTypes(type) : []
    // Without fragments nothing can be said about a union, so one on a member is always allowed.
    if (room.fragments === 0) return members.map((on) => this.#fragment('inline', on, on, room))
    const interfaces = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : []
    const on = [type, ...interfaces, ...members]
    return [
      this.#fragment('inline', undefined, type, below),
      ...on.flatMap((each) => [this.#fragment('inline', each, each, below), this.#fragment('named', each, each, below)]),
    ]
  }

  #fragment(kind: FragmentChoice['kind'], on: GraphQLNamedType | undefined, type: GraphQLCompositeType, room: Room): Arbitrary<FragmentChoice> {
    return fc.record({
      kind: fc.constant(kind),
      on: fc.constant(on?.name),
      directives: this.#conditions,
      selections: this.below(type, room),
      number: fc.nat({ max: 1 }),
      room: fc.constant(room),
    })
  }

  /** A directive stands on a field once: conditions and `@read` have different names. */
  #directives(withoutRead: number): Arbitrary<readonly DirectiveChoice[]> {
    return fc.tuple(this.#conditions, randomRead(this.#schema.getDirective('read')!, withoutRead)).map((both) => both.flat())
  }
}

/** Undefined where a field would lead too deep or to too many rows. */
function roomBelow(parent: GraphQLCompositeType, field: Field, room: Room): Room | undefined {
  // What leads through a connection to its nodes is as deep, and as long, as the connection itself.
  if (isConnection(parent) || parent.name.endsWith('Edge')) return room
  const isMany = isListType(getNullableType(field.type))
  const length = isConnection(getNamedType(field.type)) ? pageSize : isMany ? listLength : 1
  const below = { ...room, depth: room.depth - 1, rows: Math.floor(room.rows / length) }
  return below.depth > 0 && below.rows > 0 ? below : undefined
}

/** Said as one and the rest, because fast-check leaves more out of the rest than out of a list that must not be empty. */
function atLeastOne<T>(of: Arbitrary<T>, most: number): Arbitrary<T[]> {
  return fc.tuple(of, fc.array(of, { maxLength: most - 1 })).map(([one, rest]) => [one, ...rest])
}

/** Each kind of choice as often as it weighs, however many choices it has. */
function oneOf<T>(kinds: readonly { readonly weight: number; readonly of: readonly Arbitrary<T>[] }[]): Arbitrary<T> {
  return fc.oneof(...kinds.filter(({ of }) => of.length > 0).map(({ weight, of }) => ({ weight, arbitrary: fc.oneof(...of) })))
}

function isLeaf(field: Field): boolean {
  return isLeafType(getNamedType(field.type))
}

function isDocument(type: GraphQLCompositeType): boolean {
  return isObjectType(type) && 'nodeId' in type.getFields()
}

function isAggregate(field: Field): boolean {
  return getNamedType(field.type).name.endsWith('Aggregate')
}

function isConnection(type: GraphQLNamedType): boolean {
  return type.name.endsWith('Connection')
}

/** What fast-check prints when an operation fails. */
function readable(operation: WrittenOperation): WrittenOperation {
  return Object.defineProperty(operation, fc.toStringMethod, {
    value: () => `\n${operation.query}\nwith ${JSON.stringify(operation.variables)}\n`,
  })
}
