// The schema that clients of the sample library see: complete, described, and without storage.

import { readFileSync, globSync } from 'node:fs'
import { buildASTSchema, getNamedType, isCompositeType, isEnumType, isInputObjectType, isInterfaceType, isIntrospectionType, isListType, isNonNullType, isObjectType, isSpecifiedDirective, parse, printSchema, visit, type GraphQLObjectType, type GraphQLSchema } from 'graphql'
import { expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { derive } from '../../schema/library/derive.ts'
import { allFields } from '../../src/model/model.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'

const { model, sdl } = readDeclaration(readSdlFolder('schema/library'), derive)
const schema = buildASTSchema(sdl)
const types = typesOf(schema)

function typesOf(of: GraphQLSchema) {
  return Object.values(of.getTypeMap()).filter((type) => !isIntrospectionType(type) && type.astNode)
}

/** Everything that GraphiQL shows a description of. */
function partsOf(of: GraphQLSchema): { at: string; description?: string | null | undefined }[] {
  const directives = of.getDirectives().flatMap((directive) => isSpecifiedDirective(directive) ? [] : [
    { at: `@${directive.name}`, description: directive.description },
    ...directive.args.map(({ name, description }) => ({ at: `@${directive.name}(${name}:)`, description })),
  ])
  return [...directives, ...typesOf(of).flatMap((type) => [
    { at: type.name, description: type.description },
    ...(isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()).flatMap((field) => [
      { at: `${type.name}.${field.name}`, description: field.description },
      ...field.args.map(({ name, description }) => ({ at: `${type.name}.${field.name}(${name}:)`, description })),
    ]) : []),
    ...(isInputObjectType(type) ? Object.values(type.getFields()).map(({ name, description }) => ({ at: `${type.name}.${name}`, description })) : []),
    ...(isEnumType(type) ? type.getValues().map(({ name, description }) => ({ at: `${type.name}.${name}`, description })) : []),
  ])]
}

function undescribed(of: GraphQLSchema): string[] {
  return partsOf(of).filter(({ description }) => !description).map(({ at }) => at)
}

test('every type, field, argument, value and directive has a description', () => {
  expect(partsOf(schema).length).toBeGreaterThan(300)
  expect(undescribed(schema)).toEqual([])
})

test('everything that Quire adds to a schema has a description', () => {
  const bare = readDeclaration(`
    type Ape @document(container: "apes") { id: ID! name: String! @indexed cage: Cage @reference(at: "cageId") food: [Food!]! @contained(max: 3) }
    type Cage @document(container: "cages") { id: ID! apes: ApeConnection! @reverse(of: "Ape.cage") }
    union Food = Fruit | Leaf
    type Fruit @shape(has: "ripe") { ripe: Boolean! }
    type Leaf @shape(has: "green") { green: Boolean! }`)
  expect(undescribed(buildASTSchema(bare.sdl))).toEqual([
    'Ape', 'Ape.id', 'Ape.name', 'Ape.cage', 'Ape.food', 'Cage', 'Cage.id', 'Cage.apes', 'Food', 'Fruit', 'Fruit.ripe', 'Leaf', 'Leaf.green',
  ])
})

test('an input field has the description of its field, whatever characters it contains', () => {
  const quoted = readDeclaration('type Ape @document(container: "apes") { id: ID! """The "given" name.\n\nOr \\ none.""" name: String! }')
  const all = buildASTSchema(quoted.sdl).getTypeMap()
  const described = ['Ape', 'CreateApeInput', 'UpdateApeInput'].map((name) => (all[name] as GraphQLObjectType).getFields()['name']!.description)
  expect(described).toEqual(Array.from({ length: 3 }, () => 'The "given" name.\n\nOr \\ none.'))
})

test('no field begins with the name of its type, save the global id', () => {
  const fields = types.filter((type) => isObjectType(type) || isInterfaceType(type)).flatMap((type) => Object.keys(type.getFields()).map((name) => ({ type: type.name, name })))
  const beginning = fields.filter(({ type, name }) => name.toLowerCase().startsWith(type.toLowerCase()) && /^([A-Z]|$)/.test(name.slice(type.length)))
  expect(beginning).toEqual([{ type: 'Node', name: 'nodeId' }])
})

test('every list of objects is a page, the groups of an aggregate, or kept in a document that says how long it can get', () => {
  const lists = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields())
    .filter((field) => isListType(isNonNullType(field.type) ? field.type.ofType : field.type) && isCompositeType(getNamedType(field.type)))
    .map((field) => ({ type: type.name, name: field.name })))
  const kept = lists.filter(({ type, name }) => !(type.endsWith('Connection') && ['edges', 'nodes'].includes(name))
    && !(type.endsWith('Aggregate') && name === 'groups')
    // One result for each input, whose number is limited.
    && !(type.endsWith('BatchPayload') && name === 'results'))
  expect(kept.length).toBeGreaterThan(5)
  for (const { type, name } of kept) {
    const field = (model.documents.get(type) ?? model.contained.get(type))?.fields.get(name)
    expect(field?.storage, `${type}.${name}`).toMatchObject({ max: expect.any(Number) as number })
  }
})

test('the node of an edge is a document with a global id, or an entry of a bucketed list', () => {
  const onEdges = types.filter(isObjectType).flatMap((type) => type.name.endsWith('Edge') ? [getNamedType(type.getFields()['node']!.type)] : [])
  const others = onEdges.filter((type) => isObjectType(type) && !type.getInterfaces().some(({ name }) => name === 'Node')).map(({ name }) => name)
  const bucketed = allFields(model).filter((field) => field.storage.kind === 'bucketed').map(({ target }) => target)
  expect(onEdges.length).toBeGreaterThan(others.length)
  expect(others).toEqual(bucketed)
})

test('a description takes several lines in the SDL only if it needs them', () => {
  const descriptions = globSync('schema/**/*.graphql').flatMap((file) => {
    const found: { block: boolean | undefined; value: string }[] = []
    visit(parse(readFileSync(file, 'utf8')), { enter: (node) => {
      if ('description' in node && node.description) found.push({ block: node.description.block, value: node.description.value })
    } })
    return found
  })
  expect(descriptions.length).toBeGreaterThan(100)
  expect(descriptions.filter(({ block, value }) => block !== value.includes('\n'))).toEqual([])
})

test('every document type has a field for one and a field for many', () => {
  const all = Object.keys(schema.getQueryType()!.getFields())
  const roots = all.filter((name) => !name.endsWith('Aggregate'))
  expect(roots.toSorted()).toEqual([
    'author', 'authors', 'book', 'books', 'node', 'people', 'person', 'portfolio', 'portfolios', 'publisher', 'publishers', 'stock', 'stockBySymbol', 'stocks', 'trade', 'trades',
  ])
  for (const name of ['authors', 'books', 'people', 'portfolios', 'publishers', 'stocks', 'trades']) {
    expect(schema.getQueryType()!.getFields()[name]!.args.map((argument) => argument.name)).toEqual(['first', 'after', 'last', 'before', 'filter', 'orderBy'])
    expect(schema.getQueryType()!.getFields()[`${name}Aggregate`]!.args.map((argument) => argument.name)).toEqual(['filter', 'groupBy'])
  }
})

test('clients see @read and @atomic, and nothing about storage', () => {
  expect(schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive)).map(({ name }) => name)).toEqual(['read', 'atomic'])
  expect(printSchema(schema)).not.toMatch(/@document|@snapshot|pub-id|PartitionKey/)
})
