// Checks of the names that Quire generates from those in a schema: root fields, and the fields of inputs and filters. A name
// must be a name of GraphQL, and no other field may have it.

import { filterables, idArgument } from './api/filters.ts'
import { inputName } from './api/mutations.ts'
import { type DocumentType, type Field, type Model, type ObjectType } from './model.ts'
import { holdsIds } from './pointers.ts'

export function checkGeneratedNames(model: Model): string[] {
  const documents = [...model.documents.values()]
  return [
    ...documents.flatMap(checkPlural),
    ...checkRootFields(documents),
    ...[...documents, ...model.contained.values()].flatMap((type) => [
      ...[...type.fields.values()].flatMap(checkSingular),
      ...checkInputs(type, model.documents.get(type.name)),
    ]),
  ]
}

function checkPlural({ name, plural }: DocumentType): string[] {
  return isName(plural) ? [] : [`${name}: the plural "${plural}" cannot be the name of a field. Use letters, digits and _, and no digit first.`]
}

function checkSingular({ coordinate, singular, storage }: Field): string[] {
  if (!('singular' in storage) || isName(singular)) return []
  return [`${coordinate}: the singular "${singular}" cannot be the name of a field. Use letters, digits and _, and no digit first.`]
}

function checkRootFields(documents: readonly DocumentType[]): string[] {
  const problems: string[] = []
  const taken = new Map<string, string>([['node', 'Quire itself']])
  for (const type of documents) {
    for (const name of [type.singular, type.plural]) {
      const other = taken.get(name)
      if (other) problems.push(`${type.name}: the root field ${name} is already taken by ${other}. Choose another name with @document(plural: "…").`)
      taken.set(name, type.name)
    }
  }
  return problems
}

/** A field may have the name that another one has in inputs and filters: `categoryIds` beside `categories`. */
function checkInputs(type: ObjectType, document: DocumentType | undefined): string[] {
  const written = [...type.fields.values()].filter((field) => inputName(field) !== undefined)
  const filtered = document ? filterables(document).map(({ field }) => field) : []
  return [...new Set([...sameNames(written), ...sameNames(filtered)])]
}

function sameNames(fields: readonly Field[]): string[] {
  const byName = Map.groupBy(fields, (field) => (holdsIds(field) ? idArgument(field) : field.name))
  return [...byName].flatMap(([name, [one, other]]) => {
    if (!one || !other) return []
    const [pointer, beside] = holdsIds(one) ? [one, other] : [other, one]
    return [`${pointer.coordinate}: inputs and filters call it ${name}, and ${beside.coordinate} too. Choose another name with @${pointer.storage.kind}(singular: "…").`]
  })
}

function isName(name: string): boolean {
  return /^(?!__)[A-Za-z_]\w*$/.test(name)
}
