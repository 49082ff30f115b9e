// Documents of other viewers, as the schema's rules define them. Before an attack their owners write a marker text into every
// field that takes one, and no other viewer may read it.

import { randomUUID } from 'node:crypto'
import { getNamedType, getNullableType, isInputObjectType, isListType, isObjectType, isRequiredInputField, type GraphQLInputObjectType, type GraphQLInputType } from 'graphql'
import { allFields, type Model } from '../../src/model/model.ts'
import { ownerField } from '../../src/model/rule.ts'
import type { Ask } from './hostile-request.ts'
import { selectionOf } from './places.ts'
import { Random } from './random.ts'
import { SecretSearch, type Secret } from '../secret-search.ts'
import { plausible } from './values.ts'
import { listsOf, nodesOf, type Node, type World } from './world.ts'

/** A type whose documents only their owners may read. */
export interface OwnedType {
  readonly type: string
  /** The selection of the field that names the owner. */
  readonly owner: string
  /** Whether the document's id is the owner's. */
  readonly isOwner: boolean
}

export function ownedTypes(model: Model): OwnedType[] {
  return [...model.documents.values()].flatMap((type) => {
    const field = ownerField(type, type.readable)
    return field ? [{ type: type.name, owner: field.leaf ? field.name : `${field.name} { id }`, isOwner: field.name === 'id' }] : []
  })
}

/** All roles that the rules name. A viewer with all of them may do everything except what is reserved for owners. */
export function rolesIn(model: Model): string[] {
  const types = [...model.documents.values(), ...model.contained.values()]
  const rules = [...types.flatMap(({ readable, writable }) => [readable, writable]), ...allFields(model).map(({ readable }) => readable), ...model.roots.values()]
  return [...new Set(rules.flatMap((rule) => rule?.roles ?? []))]
}

/** No text of an attacker begins with this. */
export const othersPrefix = 'z'

/** Short, so that half of a longer text is found too, and unique to the run. */
export function othersText(): Secret {
  return { name: "text of another's document", text: `${othersPrefix}${randomUUID().replaceAll('-', '').slice(0, 15)}` }
}

/** Requests with full access, and requests as a given viewer. */
export interface Asks {
  readonly admin: Ask
  readonly as: (id: string) => Promise<Ask>
}

/** Also counts the documents in which owners read the text afterwards, which shows that a search would find it. */
export async function markOthers(world: World, owned: readonly OwnedType[], text: Secret, { admin, as }: Asks): Promise<{ readonly marked: number; readonly found: number }> {
  const searcher = new SecretSearch([text])
  let [marked, found] = [0, 0]
  for (const each of owned) {
    const { field } = listsOf(world.schema).find(({ type }) => type === each.type)!
    const input = world.schema.getType(`Update${each.type}Input`) as GraphQLInputObjectType
    const required = Object.values(input.getFields()).filter(isRequiredInputField).map(({ name }) => name)
    for (const node of await nodesOf(field, `{ id ${required.join(' ')} ${each.owner} }`, admin)) {
      const ask = await as(ownerIn(node, each))
      const given = { ...Object.fromEntries(required.map((name) => [name, node[name]])), ...textsFor(input, each.type, `${text.text} of ${each.type} ${String(node['id'])}`, world) }
      const { errors } = await ask(`mutation($input: ${input.name}!) { update${each.type}(input: $input) { clientMutationId } }`, { input: given })
      if (errors) throw new Error(`The owner of ${each.type} ${String(node['id'])} cannot write it: ${errors[0]!.message}`)
      const seen = await ask(`query($id: ID) { ${field}(filter: { id: { eq: $id } }) { nodes ${selectionOf(world.schema.getType(each.type) as never)} } }`, { id: node['id'] })
      marked++
      if (searcher.leaksIn('an answer to its owner', JSON.stringify(seen)).length > 0) found++
    }
  }
  return { marked, found }
}

function ownerIn(node: Node, { owner }: OwnedType): string {
  const value = node[owner.split(' ')[0]!]
  return typeof value === 'object' && value !== null ? (value as { id: string }).id : String(value)
}

/** A value for every stored field of an input, with the text wherever one fits. */
function textsFor(input: GraphQLInputObjectType, type: string, text: string, world: World): object {
  const document = world.schema.getType(type)
  const kept = isObjectType(document) ? document.getFields() : {}
  const random = new Random(text)
  const fields = Object.values(input.getFields()).filter(({ name }) => Object.hasOwn(kept, name) && name !== 'id')
  return Object.fromEntries(fields.flatMap((field) => (getNamedType(field.type).name === 'String' || isInputObjectType(getNamedType(field.type)) ? [[field.name, withText(field.type, field.name, text, random, world)]] : [])))
}

function withText(type: GraphQLInputType, name: string, text: string, random: Random, world: World): unknown {
  const nullable = getNullableType(type)
  const named = getNamedType(type)
  if (isListType(nullable)) return isInputObjectType(named) && named.isOneOf ? Object.values(named.getFields()).map((field) => ({ [field.name]: withText(field.type, field.name, text, random, world) })) : [withText(nullable.ofType, name, text, random, world)]
  if (named.name === 'String') return `${text}: ${name}`
  if (!isInputObjectType(named)) return plausible(type, name, random, world, name)
  return Object.fromEntries(Object.values(named.getFields()).map((field) => [field.name, withText(field.type, field.name, text, random, world)]))
}
