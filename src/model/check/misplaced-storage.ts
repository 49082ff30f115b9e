// Directives of storage in places where Quire stores nothing: on fields of root types, interfaces, payloads and connections.

import { isInterfaceType, isObjectType, type GraphQLSchema } from 'graphql'

/** `own` are the types that hold data, `words` the directives that declare how a field is stored. */
export function misplacedStorage(schema: GraphQLSchema, own: ReadonlySet<string>, words: readonly string[]): string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (own.has(type.name) || type.name.startsWith('__') || (!isObjectType(type) && !isInterfaceType(type))) return []
    return Object.values(type.getFields()).flatMap(({ name, astNode }) => {
      const used = (astNode?.directives ?? []).map((directive) => directive.name.value).filter((word) => words.includes(word))
      const where = isInterfaceType(type) ? `${type.name} is an interface. Put it on the field of each type that implements it` : `${type.name} holds no data. Remove it`
      return used.map((word) => `${type.name}.${name}: @${word} does nothing here, because ${where}.`)
    })
  })
}
