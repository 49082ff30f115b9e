// Queries for every path through a schema, found by walking it from each root field through relations to leaf values. A new
// field is included without any change here.

import {
  buildASTSchema, getNamedType, isAbstractType, isInputObjectType, isEnumType, isLeafType, isRequiredArgument,
  type DocumentNode, type GraphQLField, type GraphQLObjectType, type GraphQLSchema,
} from 'graphql'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { nodeId } from '../../src/model/keys/node-id.ts'
import type { Derive } from '../../src/relations/kind.ts'
import { fieldAt, type DocumentType, type Model } from '../../src/model/model.ts'
import type { Documents } from '../harness.ts'

export interface Probe {
  readonly query: string
  /** The `Type.field` of each step on the way, and of the values at its end. */
  readonly through: readonly string[]
}

export interface ProbeOptions {
  readonly typeDefs: string | DocumentNode
  readonly derive?: Derive
  readonly documents: Documents
  /** How many relations are followed behind a root field. */
  readonly depth: number
}

export function probesOf({ typeDefs, derive = {}, documents, depth }: ProbeOptions): Probe[] {
  const { sdl, model } = readDeclaration(typeDefs, derive)
  const schema = buildASTSchema(sdl, { assumeValidSDL: true })
  const walk = new Walk(schema, model, documents)
  return [...walk.queries(depth), ...walk.mutations(Math.min(depth, 1))]
}

class Walk {
  readonly #schema: GraphQLSchema
  readonly #model: Model
  readonly #documents: Documents

  constructor(schema: GraphQLSchema, model: Model, documents: Documents) {
    this.#schema = schema
    this.#model = model
    this.#documents = documents
  }

  queries(depth: number): Probe[] {
    const query = this.#schema.getQueryType()!
    return Object.values(query.getFields()).flatMap((field) => {
      const coordinate = `Query.${field.name}`
      if (field.name === 'node') return this.#nodes(depth)
      const list = this.#listed(field)
      if (list) return [...this.#below(field, depth).map((below) => probe('query', coordinate, field.name, '(first: 50)', below)), ...this.#found(field, list)]
      const type = [...this.#model.documents.values()].find(({ singular }) => singular === field.name)
      const given = type ? this.#idsOf(type).map((id) => `(id: ${JSON.stringify(id)})`) : field.args.some(isRequiredArgument) ? [] : ['']
      return given.flatMap((args) => this.#below(field, depth).map((below) => probe('query', coordinate, field.name, args, below)))
    })
  }

  /** Updates that change nothing, for what their payloads return. */
  mutations(depth: number): Probe[] {
    const mutation = this.#schema.getMutationType()!
    return [...this.#model.documents.values()].flatMap((type) => {
      const field = mutation.getFields()[`update${type.name}`]!
      return this.#idsOf(type).flatMap((id) => this.#below(field, depth).map((below) =>
        probe('mutation', `Mutation.${field.name}`, field.name, `(input: { id: ${JSON.stringify(id)} })`, below)))
    })
  }

  #nodes(depth: number): Probe[] {
    return [...this.#model.documents.values()].flatMap((type) => this.#idsOf(type).flatMap((id) => {
      const object = this.#schema.getType(type.name) as GraphQLObjectType
      const args = `(nodeId: ${JSON.stringify(nodeId(type, id, [id]))})`
      return [{ text: 'nodeId __typename', through: ['Node.nodeId'] }, ...this.#selections(object, depth).map(({ text, through }) => ({ text: `... on ${type.name} { ${text} }`, through: [`Node ${type.name}`, ...through] }))]
        .map((below) => probe('query', 'Query.node', 'node', args, { ...below, text: `{ ${below.text} }` }))
    }))
  }

  /** Lists that are filtered, ordered, paged and counted. */
  #found(field: GraphQLField<unknown, unknown>, type: DocumentType): Probe[] {
    const filter = this.#schema.getType(`${type.name}Filter`)
    const order = this.#schema.getType(`${type.name}OrderField`)
    const filters = isInputObjectType(filter) ? Object.values(filter.getFields()).flatMap(({ name, type: given }) => this.#comparisons(type, name, getNamedType(given).name).map((comparison) => ({ name, args: `filter: { ${name}: ${comparison} }` }))) : []
    const orders = isEnumType(order) ? order.getValues().flatMap(({ name }) => ['ASC', 'DESC'].map((direction) => ({ name, args: `orderBy: { field: ${name}, direction: ${direction} }` }))) : []
    return [...filters, ...filters.map(({ name, args }) => ({ name, args: args.replace('{', '{ not: {').replace(/$/, ' }') })), ...orders].flatMap(({ name, args }) =>
      ['{ totalCount }', '{ nodes { id } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }'].map((text) =>
        probe('query', `Query.${field.name}`, field.name, `(first: 1, ${args})`, { text, through: [`${type.name} by ${name}`] })))
  }

  #comparisons(type: DocumentType, name: string, input: string): string[] {
    if (name === 'and' || name === 'or' || name === 'not') return []
    const stored = (this.#documents[type.name] ?? []).flatMap((body) => (typeof body[name] === 'string' ? [body[name]] : []))
    const ids = [...this.#model.documents.values()].flatMap((each) => this.#idsOf(each))
    const related = this.#schema.getType(input)
    if (isInputObjectType(related) && related.getFields()['some']) return ['some', 'every'].flatMap((quantifier) => this.#comparisons(type, name, getNamedType(related.getFields()[quantifier]!.type).name).map((each) => `{ ${quantifier}: ${each} }`))
    if (isInputObjectType(related) && related.getFields()['and']) {
      const first = Object.values(related.getFields()).find((field) => !['and', 'or', 'not'].includes(field.name))
      return this.#comparisons(type, first!.name, getNamedType(first!.type).name).slice(0, 1).map((each) => `{ ${first!.name}: ${each} }`)
    }
    switch (input) {
      case 'StringFilter': return ['{ startsWith: "" }', ...stored.slice(0, 1).map((text) => `{ eq: ${JSON.stringify(text)} }`)]
      case 'IDFilter': return [`{ in: ${JSON.stringify(ids)} }`, ...ids.slice(0, 2).map((id) => `{ eq: ${JSON.stringify(id)} }`)]
      case 'IDListFilter': return [`{ containsAny: ${JSON.stringify(ids)} }`]
      default: return ['{ gte: 1 }', '{ isNull: false }']
    }
  }

  /** The type behind a root list. */
  #listed(field: GraphQLField<unknown, unknown>): DocumentType | undefined {
    return [...this.#model.documents.values()].find(({ plural }) => plural === field.name)
  }

  #idsOf(type: DocumentType): string[] {
    const own = (this.#documents[type.name] ?? []).filter((body) => type.discriminator === undefined || body['type'] === type.discriminator || body['type'] === undefined)
    // The first and the last have different owners; and an id that does not exist.
    return [...[...new Set([own[0], own.at(-1)])].flatMap((body) => (body ? [String(body['id'])] : [])), 'there-is-none']
  }

  /** A field with a rule of its own is selected alone: a refusal must not hide the other fields. */
  #isSpecial(type: GraphQLObjectType, name: string): boolean {
    const field = fieldAt(this.#model, `${type.name}.${name}`)
    return field !== undefined && (field.readable !== undefined || field.storage.kind === 'counted')
  }

  #below(field: GraphQLField<unknown, unknown>, depth: number): Selection[] {
    const type = getNamedType(field.type)
    if (isLeafType(type)) return [{ text: '', through: [] }]
    if (isAbstractType(type)) {
      return this.#schema.getPossibleTypes(type).flatMap((each) => this.#selections(each, depth).map(({ text, through }) => ({ text: `{ ... on ${each.name} { ${text} } }`, through })))
    }
    return this.#selections(type as GraphQLObjectType, depth).map(({ text, through }) => ({ text: `{ ${text} }`, through }))
  }

  /** Selections of an object: each leaf with a rule alone, all other leaves together, and each relation. */
  #selections(type: GraphQLObjectType, depth: number): Selection[] {
    const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument))
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)))
    const together = leaves.filter(({ name }) => !this.#isSpecial(type, name))
    const ways = fields.filter((field) => !isLeafType(getNamedType(field.type)))
    return [
      ...leaves.filter((leaf) => !together.includes(leaf)).map(({ name }) => ({ text: name, through: [`${type.name}.${name}`] })),
      ...(together.length > 0 ? [{ text: together.map(({ name }) => name).join(' '), through: together.map(({ name }) => `${type.name}.${name}`) }] : []),
      ...ways.flatMap((field) => {
        // Pages, edges, payloads and contained objects do not count as steps.
        const target = getNamedType(field.type).name
        const carries = /(Connection|Edge|Payload)$/.test(type.name) || this.#model.contained.has(target) || this.#model.unions.has(target)
        if (!carries && depth === 0) return []
        return this.#below(field, carries ? depth : depth - 1).map((below) => ({ text: `${field.name} ${below.text}`, through: [`${type.name}.${field.name}`, ...below.through] }))
      }),
    ]
  }
}

interface Selection {
  readonly text: string
  readonly through: readonly string[]
}

function probe(operation: string, coordinate: string, name: string, args: string, below: Selection): Probe {
  return { query: `${operation} { ${name}${args} ${below.text} }`, through: [coordinate, ...below.through] }
}
