// Names in the plural and in the singular: of root fields, and of lists of ids in inputs and filters.

import { buildASTSchema, type GraphQLInputObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { pluralOf, singularOf } from '../../src/model/api/plurals.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'

describe('The plural of a name', () => {
  test.each([
    ['book', 'books'], ['category', 'categories'], ['person', 'people'], ['child', 'children'], ['box', 'boxes'], ['day', 'days'],
    ['orderEntry', 'orderEntries'], ['salesPerson', 'salesPeople'], ['orderStatus', 'orderStatuses'], ['aPI', 'aPIs'], ['page2', 'page2s'], ['x', 'xs'],
  ])('of %s is %s, and back', (one, many) => {
    expect(pluralOf(one)).toBe(many)
    expect(singularOf(many)).toBe(one)
  })

  test.each(['news', 'relatedNews', 'series', 'equipment', 'settings', 'Staff'])('of %s is another name', (word) => {
    expect(pluralOf(word)).toBe(`${word}List`)
  })

  test.each(['news', 'relatedNews', 'bookSeries', 'address'])('the singular of %s is the same', (word) => {
    expect(singularOf(word)).toBe(word)
  })
})

describe('Generated names', () => {
  test('root fields are in the plural', () => {
    expect(namesOf('Query', 'type Category @document(container: "c") { id: ID! } type News @document(container: "n") { id: ID! }')).toEqual(['node', 'category', 'categories', 'news', 'newsList'])
  })

  test('plural overrides the name of a root field', () => {
    expect(namesOf('Query', 'type Category @document(container: "c", plural: "categorys") { id: ID! }')).toEqual(['node', 'category', 'categorys'])
  })

  test('lists of ids are in the singular in inputs and filters', () => {
    const sdl = productWith('categories: [Category!]! @reference(at: "c") children: [Product!]! @snapshot(at: "p", fields: []) buyers: [Category!]! @reference(at: "b")')
    for (const input of ['CreateProductInput', 'UpdateProductInput', 'ProductFilter']) {
      expect(namesOf(input, sdl)).toEqual(expect.arrayContaining(['categoryIds', 'childIds', 'buyerIds']))
    }
  })

  test('a list that is named after its type has the type\'s name, whatever the singular of the word', () => {
    expect(namesOf('CreateProductInput', `type Cache @document(container: "caches") { id: ID! } ${productWith('caches: [Cache!]! @reference(at: "caches")')}`)).toContain('cacheIds')
  })

  test.each(['@reference(at: "c", singular: "categorie")', '@snapshot(at: "c", fields: [], singular: "categorie")'])('singular overrides the name in inputs and filters: %s', (declared) => {
    for (const input of ['CreateProductInput', 'ProductFilter']) {
      const names = namesOf(input, productWith(`categories: [Category!]! ${declared}`))
      expect(names).toContain('categorieIds')
      expect(names).not.toContain('categoryIds')
    }
  })
})

function productWith(fields: string): string {
  return `type Category @document(container: "cs") { id: ID! } type Product @document(container: "ps") { id: ID! ${fields} }`
}

function namesOf(typeName: string, sdl: string): string[] {
  const type = buildASTSchema(readDeclaration(sdl).sdl).getType(typeName)
  return Object.keys((type as GraphQLInputObjectType).getFields())
}
