// The SDL that clients see: without the directives that declare storage, and with those that a client can write in
// an operation.

import { Kind, visit, type DocumentNode } from 'graphql'
import { vocabulary } from './read-sdl.ts'

const executable = /^(QUERY|MUTATION|SUBSCRIPTION|FIELD)$/

const storageDirectives = new Set(vocabulary.definitions.flatMap((node) =>
  node.kind === Kind.DIRECTIVE_DEFINITION && !node.locations.some(({ value }) => executable.test(value)) ? [node.name.value] : []))

export function servedSdl(sdl: DocumentNode): DocumentNode {
  return visit(sdl, {
    DirectiveDefinition: ({ name }) => (storageDirectives.has(name.value) ? null : undefined),
    Directive: ({ name }) => (storageDirectives.has(name.value) ? null : undefined),
    ScalarTypeDefinition: ({ name }) => (name.value === 'PartitionKey' || name.value === 'FieldValue' ? null : undefined),
    EnumTypeDefinition: ({ name }) => (['OnDelete', 'AllowedBy', 'AggregateFunction'].includes(name.value) ? null : undefined),
  })
}
