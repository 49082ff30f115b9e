// Checks of the names that Quire generates from those in a schema: root fields, and the fields of inputs and filters. A name
// must be a name of GraphQL, and no other field may have it.

import { filterables, idArgument, orderables } from '../api/filters.ts'
import { mutationsOf } from '../api/generated-mutations.ts'
import { incrementables } from '../api/increments.ts'
import { inputName } from '../api/mutations.ts'
import { type DocumentType, type Field, type Model, type ObjectType } from '../model.ts'
import { holdsIds } from '../pointers.ts'

export function checkGeneratedNames(model: Model): string[] {
  const documents = [...model.documents.values()]
  return [
    ...documents.flatMap(checkPlural),
    ...checkRootFields(documents),
    ...checkMutations(documents),
    ...documents.flatMap((type) => [...checkOwnWords(type), ...checkOrders(type, model)]),
    ...[...documents, ...model.contained.values()].flatMap((type) => [
      ...[...type.fields.values()].flatMap(checkSingular),
      ...checkInputs(type, model.documents.get(type.name)),
    ]),
  ]
}

function checkPlural({ name, plural }: DocumentType): string[] {
  return notAName(plural).map((advice) => `${name}: the plural "${plural}" cannot be the name of a field. ${advice}`)
}

function checkSingular({ coordinate, singular, storage }: Field): string[] {
  if (!('singular' in storage)) return []
  return notAName(singular).map((advice) => `${coordinate}: the singular "${singular}" cannot be the name of a field. ${advice}`)
}

function checkRootFields(documents: readonly DocumentType[]): string[] {
  const named = documents.flatMap((type) => [{ name: type.singular, type }, { name: type.plural, type }])
  return [...Map.groupBy(named, ({ name }) => name)].flatMap(([name, all]) => {
    const first = name === 'node' ? undefined : all[0]!.type
    return all.slice(first ? 1 : 0).map(({ type }) => `${type.name}: the root field ${name} is already taken by ${first?.name ?? 'Quire itself'}. ${otherRootField(name, type, first)}`)
  })
}

/** A plural can be declared. A singular is the name of the type. */
function otherRootField(name: string, type: DocumentType, other: DocumentType | undefined): string {
  const plural = [type, other].find((one) => one?.plural === name)
  return plural ? `Give ${plural.name} another name with @document(plural: "…").` : `Rename the type ${type.name}.`
}

/** A field may have the name that another one has in inputs and filters: `categoryIds` beside `categories`. */
function checkInputs(type: ObjectType, document: DocumentType | undefined): string[] {
  const written = [...type.fields.values()].filter((field) => inputName(field) !== undefined)
  const filtered = document ? filterables(document).map(({ field }) => field) : []
  return [...new Set([...sameNames(written), ...sameNames(filtered)])]
}

/** Filters, inputs and payloads have fields of their own. */
function checkOwnWords(type: DocumentType): string[] {
  const filtered = filterables(type).filter(({ name }) => ['and', 'or', 'not'].includes(name))
  const written = [...type.fields.values()].filter((field) => ownInputWords(type).includes(inputName(field) ?? ''))
  return [
    ...filtered.map(({ name, field }) => `${field.coordinate}: every filter has an operator called ${name}. Rename the field, or remove @indexed.`),
    ...written.map((field) => `${field.coordinate}: the inputs of mutations have a field ${inputName(field)} of their own. ${holdsIds(field) ? otherSingular(field) : 'Rename the field.'}`),
    ...(['clientMutationId', 'created', 'failure'].includes(type.singular) ? [`${type.name}: the payloads of mutations have a field ${type.singular} of their own. Rename the type.`] : []),
  ]
}

function ownInputWords(type: DocumentType): string[] {
  return ['clientMutationId', 'ifMatch', ...(incrementables(type).length > 0 ? ['increment'] : [])]
}

/** `createPosts` creates one document of a type Posts, and several of a type Post. */
function checkMutations(documents: readonly DocumentType[]): string[] {
  return [...Map.groupBy(documents.flatMap(mutationsOf), ({ field }) => field)].flatMap(([field, all]) => {
    const [plural, other] = all.toSorted((one, another) => Number(another.many) - Number(one.many))
    // Root fields of one name have been reported already.
    if (!plural || !other || plural.many === other.many || plural.type.plural === other.type.singular) return []
    return [`${plural.type.name}: the mutation ${field} is already taken by ${other.type.name}. Give ${plural.type.name} another name with @document(plural: "…").`]
  })
}

function checkOrders(type: DocumentType, model: Model): string[] {
  return [...Map.groupBy(orderables(type, model), ({ name }) => name)].flatMap(([name, [one, other]]) =>
    (one && other ? [`${other.field.coordinate}: orders call it ${name}, and ${one.field.coordinate} too. Rename one of them, or remove its @indexed.`] : []))
}

function sameNames(fields: readonly Field[]): string[] {
  const byName = Map.groupBy(fields, (field) => (holdsIds(field) ? idArgument(field) : field.name))
  return [...byName].flatMap(([name, [one, other]]) => {
    if (!one || !other) return []
    const [pointer, beside] = holdsIds(one) ? [one, other] : [other, one]
    return [`${pointer.coordinate}: inputs and filters call it ${name}, and ${beside.coordinate} too. ${otherSingular(pointer)}`]
  })
}

function otherSingular({ storage }: Field): string {
  return `Choose another name with @${storage.kind}(singular: "…").`
}

/** What to write instead of a text that GraphQL does not accept as a name. */
function notAName(text: string): string[] {
  if (!/^[A-Za-z_]\w*$/.test(text)) return ['Use letters, digits and _, and no digit first.']
  return text.startsWith('__') ? ['GraphQL reserves names that begin with __. Begin it with a letter.'] : []
}
