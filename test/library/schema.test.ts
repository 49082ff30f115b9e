// The schema that clients of the shipped library see: complete, described, and silent about storage.

import { buildASTSchema, isEnumType, isInputObjectType, isInterfaceType, isIntrospectionType, isObjectType, isSpecifiedDirective, printSchema } from 'graphql'
import { expect, test } from 'vitest'
import { readDeclaration } from '../../src/declaration.ts'
import { derive } from '../../src/library/derive.ts'
import { readSdlFolder } from '../../src/model/read-sdl.ts'

const schema = buildASTSchema(readDeclaration(readSdlFolder('schema/library'), derive).sdl)
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type) && type.astNode)

test('every type, field, argument and value has a description', () => {
  const parts = types.flatMap((type) => [
    { at: type.name, ...type },
    ...(isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()).flatMap((field) => [
      { at: `${type.name}.${field.name}`, description: field.description },
      ...field.args.map(({ name, description }) => ({ at: `${type.name}.${field.name}(${name}:)`, description })),
    ]) : []),
    ...(isInputObjectType(type) ? Object.values(type.getFields()).map(({ name, description }) => ({ at: `${type.name}.${name}`, description })) : []),
    ...(isEnumType(type) ? type.getValues().map(({ name, description }) => ({ at: `${type.name}.${name}`, description })) : []),
  ])
  expect(parts.length).toBeGreaterThan(300)
  expect(parts.filter(({ description }) => !description).map(({ at }) => at)).toEqual([])
})

test('every document type has a field for one and a field for many', () => {
  const roots = Object.keys(schema.getQueryType()!.getFields())
  expect(roots.toSorted()).toEqual([
    'author', 'authors', 'book', 'books', 'node', 'people', 'person', 'portfolio', 'portfolios', 'publisher', 'publishers', 'stock', 'stocks', 'trade', 'trades',
  ])
  for (const name of ['authors', 'books', 'people', 'portfolios', 'publishers', 'stocks', 'trades']) {
    expect(schema.getQueryType()!.getFields()[name]!.args.map((argument) => argument.name)).toEqual(['first', 'after', 'last', 'before', 'filter', 'orderBy'])
  }
})

test('clients see how to read, and nothing of how things are stored', () => {
  expect(schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive)).map(({ name }) => name)).toEqual(['read'])
  expect(printSchema(schema)).not.toMatch(/@document|@snapshot|pub-id|PartitionKey/)
})
