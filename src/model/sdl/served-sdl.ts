// The SDL that clients see. How things are stored is nobody's business outside, so of the
// vocabulary only what a client can write in an operation is left.

import { Kind, visit, type DocumentNode } from 'graphql'
import { vocabulary } from './read-sdl.ts'

const executable = /^(QUERY|MUTATION|SUBSCRIPTION|FIELD)$/

const storageDirectives = new Set(vocabulary.definitions.flatMap((node) =>
  node.kind === Kind.DIRECTIVE_DEFINITION && !node.locations.some(({ value }) => executable.test(value)) ? [node.name.value] : []))

export function servedSdl(sdl: DocumentNode): DocumentNode {
  return visit(sdl, {
    DirectiveDefinition: ({ name }) => (storageDirectives.has(name.value) ? null : undefined),
    Directive: ({ name }) => (storageDirectives.has(name.value) ? null : undefined),
    ScalarTypeDefinition: ({ name }) => (name.value === 'PartitionKey' ? null : undefined),
    EnumTypeDefinition: ({ name }) => (name.value === 'OnDelete' || name.value === 'AllowedBy' ? null : undefined),
  })
}
