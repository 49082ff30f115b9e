// Checks of the types that Quire generates, such as `PersonFilter` for Person: no type of the schema, and no other generated
// type, may have the name.

import { isTypeDefinitionNode, type DocumentNode } from 'graphql'

/** `own` is the SDL of the user. */
export function checkGeneratedTypes(own: DocumentNode, generated: DocumentNode): string[] {
  const written = new Set(typeNames(own))
  return [...Map.groupBy(typeNames(generated), (name) => name)].flatMap(([name, { length }]) => {
    const sources = sourcesOf(name).filter((source) => written.has(source))
    if (written.has(name)) return [`${name}: Quire generates a type of this name${sources.length === 0 ? '' : ` for ${sources.join(' and ')}`}. Rename yours.`]
    return length < 2 ? [] : [`${sources[0] ?? name}: Quire generates the type ${name} for ${sources.join(' and for ')}. Rename one of them.`]
  })
}

/** The types for which Quire may generate one of this name: `CreatePersonInput` is the input of creating a Person, or that of a CreatePerson. */
function sourcesOf(name: string): string[] {
  const stem = name.replace(/(Filter|Order|OrderField|Connection|Edge|Input|Increment|Change|BatchPayload|BatchResult|Payload)$/, '')
  return [...new Set([stem, stem.replace(/^(Create|Update|Upsert|Delete)/, ''), stem.replace(/Order$/, '')])].filter((source) => source !== name)
}

function typeNames({ definitions }: DocumentNode): string[] {
  return definitions.filter(isTypeDefinitionNode).map((node) => node.name.value)
}
