// The reference of Quire's directives, read from their SDL: description, locations, arguments and an example of each. docs/directives.md is
// generated from it.

import { Kind, print, type DefinitionNode, type InputValueDefinitionNode, type StringValueNode } from 'graphql'
import { vocabulary } from '../../src/model/sdl/read-sdl.ts'

export interface DirectiveEntry {
  /** `snapshot`, also the anchor of links. */
  readonly name: string
  /** `@snapshot` */
  readonly title: string
  /** `on a field of a type`; empty for enums and scalars. */
  readonly where: string
  readonly description: readonly Block[]
  /** Arguments with their types and defaults, or the values of an enum. */
  readonly entries: readonly { readonly shown: string; readonly description: readonly Block[] }[]
}

/** The blocks of a description. Text has code between backticks. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'example'; readonly text: string }

/** GraphQL's directive locations in plain words. */
const locations: Readonly<Record<string, string>> = {
  OBJECT: 'a type', FIELD_DEFINITION: 'a field of a type', QUERY: 'a query', MUTATION: 'a mutation', SUBSCRIPTION: 'a subscription', FIELD: 'a field of an operation',
}

export function readDirectiveReference(): DirectiveEntry[] {
  return vocabulary.definitions.flatMap(readEntry)
}

function readEntry(node: DefinitionNode): DirectiveEntry[] {
  switch (node.kind) {
    case Kind.DIRECTIVE_DEFINITION: {
      const where = `on ${node.locations.map(({ value }) => locations[value] ?? value).join(', ')}`
      return [{ name: node.name.value, title: `@${node.name.value}`, where, description: blocks(node.description), entries: (node.arguments ?? []).map(readArgument) }]
    }
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.SCALAR_TYPE_DEFINITION: {
      const values = node.kind === Kind.ENUM_TYPE_DEFINITION ? (node.values ?? []) : []
      const entries = values.map(({ name, description }) => ({ shown: name.value, description: blocks(description) }))
      return [{ name: node.name.value, title: node.name.value, where: '', description: blocks(node.description), entries }]
    }
    default:
      return []
  }
}

function readArgument({ name, type, defaultValue, description }: InputValueDefinitionNode): DirectiveEntry['entries'][number] {
  return { shown: `${name.value}: ${print(type)}${defaultValue ? ` = ${print(defaultValue)}` : ''}`, description: blocks(description) }
}

/** Paragraphs and starred lists, separated by empty lines, and an example at the end. */
function blocks(description: StringValueNode | undefined): Block[] {
  const [prose = '', example] = (description?.value ?? '').split(/```\w*\n?/)
  const before = prose.split(/\n\n+/).map((text) => text.trim()).filter((text) => text !== '').map((text): Block =>
    text.startsWith('* ') ? { kind: 'list', items: text.slice(2).split(/\n\* /) } : { kind: 'text', text })
  return example === undefined ? before : [...before, { kind: 'example', text: example.trimEnd() }]
}
