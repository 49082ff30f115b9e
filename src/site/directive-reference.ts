// The words of a schema, taken from the vocabulary: what they mean, where they go, what they are given, and
// an example of each. The page at /docs and the reference among the documents are both made of these.

import { Kind, print, type DefinitionNode, type InputValueDefinitionNode, type StringValueNode } from 'graphql'
import { vocabulary } from '../model/sdl/read-sdl.ts'

export interface Word {
  /** `snapshot`, by which it is linked to. */
  readonly name: string
  /** `@snapshot`, as it is written. */
  readonly title: string
  /** `on a field of a type`, or nothing where it is no directive. */
  readonly where: string
  readonly description: readonly Block[]
  /** Arguments with their types and defaults, or values. */
  readonly entries: readonly { readonly shown: string; readonly description: readonly Block[] }[]
}

/** What descriptions are made of. Text has code between backticks. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'example'; readonly text: string }

/** The places of GraphQL that the vocabulary uses, as people call them. */
const places: Readonly<Record<string, string>> = {
  OBJECT: 'a type', FIELD_DEFINITION: 'a field of a type', QUERY: 'a query', MUTATION: 'a mutation', SUBSCRIPTION: 'a subscription', FIELD: 'a field of an operation',
}

export function readWords(): Word[] {
  return vocabulary.definitions.flatMap(readWord)
}

function readWord(node: DefinitionNode): Word[] {
  switch (node.kind) {
    case Kind.DIRECTIVE_DEFINITION: {
      const where = `on ${node.locations.map(({ value }) => places[value] ?? value).join(', ')}`
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

function readArgument({ name, type, defaultValue, description }: InputValueDefinitionNode): Word['entries'][number] {
  return { shown: `${name.value}: ${print(type)}${defaultValue ? ` = ${print(defaultValue)}` : ''}`, description: blocks(description) }
}

/** Paragraphs and lists with stars, with empty lines between them, and at the end an example. */
function blocks(description: StringValueNode | undefined): Block[] {
  const [prose = '', example] = (description?.value ?? '').split(/```\w*\n?/)
  const before = prose.split(/\n\n+/).map((text) => text.trim()).filter((text) => text !== '').map((text): Block =>
    text.startsWith('* ') ? { kind: 'list', items: text.slice(2).split(/\n\* /) } : { kind: 'text', text })
  return example === undefined ? before : [...before, { kind: 'example', text: example.trimEnd() }]
}
