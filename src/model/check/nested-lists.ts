// A document stores lists of values, not lists of lists: inputs, bounds and reads know one level. The results of root fields
// with resolvers of their own may nest, so only the types that documents hold are searched.

import { getNamedType, getNullableType, isAbstractType, isListType, isObjectType, type GraphQLObjectType, type GraphQLOutputType, type GraphQLSchema } from 'graphql'

/** A problem for each field of a document type, or of a type inside documents, that is a list of lists. */
export function nestedLists(schema: GraphQLSchema, documents: Iterable<string>): string[] {
  return [...typesHeldBy(schema, documents)].flatMap((type) => Object.values(type.getFields()).filter((field) => isNested(field.type)).map((field) => {
    const { name } = getNamedType(field.type)
    return `${type.name}.${field.name}: a document cannot store a list of lists. Declare a type for the inner list, like type Row { values: [${name}!]! @contained(max: …) }, and return [Row!]!.`
  }))
}

function typesHeldBy(schema: GraphQLSchema, documents: Iterable<string>): Set<GraphQLObjectType> {
  const held = new Set([...documents].map((name) => schema.getType(name)).filter(isObjectType))
  // A set also iterates over what is added meanwhile.
  for (const type of held) {
    for (const field of Object.values(type.getFields())) {
      const named = getNamedType(field.type)
      if (isObjectType(named)) held.add(named)
      else if (isAbstractType(named)) for (const member of schema.getPossibleTypes(named)) held.add(member)
    }
  }
  return held
}

function isNested(type: GraphQLOutputType): boolean {
  const list = getNullableType(type)
  return isListType(list) && isListType(getNullableType(list.ofType))
}
