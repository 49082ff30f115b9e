// Builds a GraphQL schema from SDL, or reports every validation error with its location. Quire's own checks of the
// directives come later.

import {
  buildASTSchema, getDirectiveValues, GraphQLError, Kind, validateSchema, visit,
  type DirectiveNode, type DocumentNode, type GraphQLSchema,
} from 'graphql'
import { validateSDL } from 'graphql/validation/validate.js'
import { baseSdl } from '../api/connections.ts'
import { DeclarationError } from './declaration-error.ts'
import { vocabulary } from './read-sdl.ts'
import { useScalars } from '../values/use-scalars.ts'
import { suggestName } from './suggest-name.ts'
import { isFromFile, placed } from './source-location.ts'

export function buildSchema(sdl: DocumentNode): GraphQLSchema {
  refuse(validateSDL(sdl), sdl)
  const schema = useScalars(buildASTSchema(sdl, { assumeValidSDL: true }))
  // Mutation gets its fields later, from the model.
  refuse([...validateSchema(schema).filter(({ message }) => message !== 'Type Mutation must define one or more fields.'), ...wrongArguments(schema, sdl)], sdl)
  return schema
}

function refuse(errors: readonly GraphQLError[], sdl: DocumentNode): void {
  if (errors.length > 0) throw new DeclarationError(errors.map(({ message, nodes = [] }) =>
    placed(`${message}${hintFor(message, sdl)}`, nodes.findLast(isFromFile) ?? nodes.at(-1))))
}

/** GraphQL checks the arguments of directives only when they are read, and then one at a time. */
function wrongArguments(schema: GraphQLSchema, sdl: DocumentNode): GraphQLError[] {
  const errors: GraphQLError[] = []
  visit(sdl, {
    Directive(node: DirectiveNode) {
      const definition = schema.getDirective(node.name.value)
      try {
        if (definition) getDirectiveValues(definition, { directives: [node] })
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error
        errors.push(new GraphQLError(`@${node.name.value}: ${error.message}`, { nodes: error.nodes ?? null }))
      }
    },
  })
  return errors
}

/** What to write instead, where GraphQL does not say. */
function hintFor(message: string, sdl: DocumentNode): string {
  const [, root] = /^There can be only one type named "(Query|Mutation)"/.exec(message) ?? []
  if (root !== undefined) return ` Quire defines it. Write "extend type ${root}" to add fields.`
  if (isQuires(message)) return ' Quire defines it. Rename yours.'
  const [, paged] = /^There can be only one type named "(\w+)Edge"/.exec(message) ?? []
  const isGenerated = sdl.definitions.some((node) => 'name' in node && node.name?.value === `${paged}Connection` && !isFromFile(node))
  if (paged !== undefined && isGenerated) return ` Quire generates it for a ${paged}Connection that the schema does not define. Define both, or rename yours.`
  if (message.startsWith('Directive "@document" may not be used on')) return ' Put it on each type whose documents are stored.'
  const [, directive] = /^Unknown directive "@(\w+)"/.exec(message) ?? []
  const known = sdl.definitions.flatMap((node) => (node.kind === Kind.DIRECTIVE_DEFINITION ? [node.name.value] : []))
  const meant = directive === undefined ? undefined : suggestName(directive, known)
  return meant === undefined ? '' : ` Did you mean "@${meant}"?`
}

/** Whether the message is about a second definition of something in every schema. */
function isQuires(message: string): boolean {
  const [, name] = /^There can be only one \w+ named "@?(\w+)"/.exec(message) ?? []
  return message.startsWith('Field "Query.node" can only be defined once') || [...vocabulary.definitions, ...baseSdl.definitions].some((node) => 'name' in node && node.name?.value === name)
}
