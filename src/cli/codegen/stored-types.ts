// The types of stored documents and of the objects inside them, of the functions behind `@derived` fields, and of `documents.ts`.
// They follow what is stored: property names, ids, snapshots, and what may be absent.

import { knownScalars } from '../../model/values/known-scalars.ts'
import { isEnumType, isInterfaceType, isNonNullType, isObjectType, type GraphQLSchema } from 'graphql'
import type { Field, Model, ObjectType } from '../../model/model.ts'
import { derivedFields, storedProperties, type StoredProperty, type StoredValue } from '../../relations/shape/stored-shape.ts'
import { exportedType, listText, literal, objectText, unionText, type PropertyText, type TypeNames } from './type-text.ts'

export class StoredTypesText {
  readonly #model: Model
  readonly #schema: GraphQLSchema
  readonly #names: TypeNames

  constructor(model: Model, schema: GraphQLSchema, names: TypeNames) {
    this.#model = model
    this.#schema = schema
    this.#names = names
    // First, so that no other type takes their names.
    for (const type of [...model.documents.keys(), ...model.contained.keys()]) this.name(type)
  }

  documents(): string[] {
    const documents = [...this.#model.documents.values()]
    return [
      ...documents.map((type) => this.#declared(type, `A stored ${type.name}, in the container ${type.container}.`)),
      ...[...this.#model.contained.values()].map((type) => this.#declared(type, `A stored ${type.name}, inside a document.`)),
      exportedType('DocumentTypes', objectText(documents.map(({ name }) => ({ name, type: this.name(name) }))), 'The stored documents by the names of their types.'),
    ]
  }

  /** The functions of derive.ts. */
  derive(): string {
    const types = [...this.#model.documents.values(), ...this.#model.contained.values()].flatMap((type): PropertyText[] => {
      const fields = derivedFields(type)
      const functions = fields.map((field) => ({ name: field.name, description: field.description, type: `(document: ${this.name(type.name)}) => ${this.#computed(field)}` }))
      return fields.length === 0 ? [] : [{ name: type.name, type: objectText(functions) }]
    })
    return exportedType('Derive', objectText(types), 'What derive.ts exports: a function for each @derived field.')
  }

  /** The documents of documents.ts, which leave out what Quire fills in. */
  newDocuments(): string {
    const documents = [...this.#model.documents.values()]
    const given = documents.map((type): PropertyText => {
      const filled = storedProperties(type, this.#model).filter((property) => property.filled && !property.optional).map(({ name }) => literal(name))
      const stored = this.name(type.name)
      return { name: type.name, optional: true, type: listText(filled.length === 0 ? stored : `Omit<${stored}, ${unionText(filled)}> & Partial<Pick<${stored}, ${unionText(filled)}>>`) }
    })
    const containers = new Set(documents.flatMap((type) => (this.#hasParts(type) && !this.#model.documents.has(type.container) ? [type.container] : [])))
    return exportedType('Documents', objectText([...given, ...[...containers].map((name): PropertyText => ({ name, optional: true, type: 'readonly Body[]', description: 'Buckets.' }))]),
      'What documents.ts exports: documents by type.')
  }

  /** The name of the stored form of a type. */
  name(type: string): string {
    return this.#names.of(`stored ${type}`, `${type}${this.#model.documents.has(type) ? 'Document' : 'Object'}`)
  }

  #declared(type: ObjectType, description: string): string {
    return exportedType(this.name(type.name), objectText(this.#properties(storedProperties(type, this.#model))), description)
  }

  #properties(properties: readonly StoredProperty[]): PropertyText[] {
    return properties.map(({ name, description, value, list, nullableElements, optional }) => {
      const one = this.#value(value)
      const type = list ? listText(nullableElements ? `${one} | null` : one) : one
      return { name, description, optional, type: optional ? `${type} | null` : type }
    })
  }

  #value(value: StoredValue): string {
    switch (value.form) {
      case 'value':
        return this.#stored(value.type)
      case 'id':
        return value.numeric ? 'number | string' : 'string'
      case 'copy':
        return objectText(this.#properties(value.properties))
      case 'entry':
        return `${this.name(value.type)} & { readonly number: number }`
      case 'count':
        return 'number'
      case 'text':
        return value.text === undefined ? 'string' : literal(value.text)
    }
  }

  /** What a function returns for a derived field. */
  #computed({ owner, name, target, shape, required }: Field): string {
    const one = required ? this.#stored(target) : `${this.#stored(target)} | null | undefined`
    if (shape !== 'list') return one
    const type = this.#schema.getType(owner)
    const isRequired = isObjectType(type) && isNonNullType(type.getFields()[name]?.type)
    return isRequired ? listText(one) : `${listText(one)} | null | undefined`
  }

  #stored(type: string): string {
    if (Object.hasOwn(scalarTypes, type)) return scalarTypes[type]!
    if (this.#model.contained.has(type)) return this.name(type)
    const members = this.#model.unions.get(type)
    if (members) return unionText(members.map(({ name }) => this.name(name)))
    const declared = this.#schema.getType(type)
    if (isEnumType(declared)) return this.#names.of(`enum ${type}`, type)
    if (isInterfaceType(declared)) return unionText(this.#schema.getPossibleTypes(declared).map(({ name }) => this.name(name)))
    // A custom scalar is stored as whatever JSON it is.
    return 'Json'
  }

  #hasParts(type: ObjectType): boolean {
    return storedProperties(type, this.#model).some(({ value }) => value.form === 'entry')
  }
}

export const scalarTypes: Readonly<Record<string, string>> = { ID: 'string', String: 'string', Int: 'number', Float: 'number', Boolean: 'boolean', ...Object.fromEntries(Object.entries(knownScalars).filter(([, { comparable }]) => comparable).map(([name, { typescript }]) => [name, typescript])) }
