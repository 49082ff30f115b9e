// Checks of rules: a rule must name who is allowed, its owner must be a field that holds one id, and no other part of
// the schema may reveal what a rule hides.

import { allFields, comesFrom, objectType, type DocumentType, type Field, type Model, type ObjectType } from '../model.ts'
import { ownerPath, possibleOwners, type Rule } from '../rule.ts'

export function checkRules(model: Model): string[] {
  return [
    ...[...model.documents.values()].flatMap(checkDocument),
    ...[...model.contained.values()].flatMap(checkContained),
    ...allFields(model).flatMap((field) => [...checkField(field), ...checkRevealed(field, model)]),
    ...[...model.roots].flatMap(([coordinate, rule]) => checkRoot(coordinate, rule, model)),
  ]
}

function checkDocument(type: DocumentType): string[] {
  return [...checkWords(type.name, 'readable', type.readable), ...checkOwner(type.name, 'readable', type, type.readable?.owner),
    ...checkWords(type.name, 'writable', type.writable), ...checkOwner(type.name, 'writable', type, type.writable?.owner)]
}

function checkContained({ name, readable, writable }: ObjectType): string[] {
  if (writable) return [`${name}: @writable is for document types, and ${name} is part of other documents. Put the rule on the types that contain it.`]
  if (readable?.owner !== undefined) return [`${name}: owner is for document types, and ${name} is part of other documents. Put owner on the types that contain it.`]
  return checkWords(name, 'readable', readable)
}

function checkField({ coordinate, name, readable }: Field): string[] {
  if (!readable) return []
  if (name === 'id') return [`${coordinate}: an id cannot have a rule of its own, because references and lookups need it. Put the rule on the type.`]
  if (readable.owner !== undefined) return [`${coordinate}: owner applies to whole documents, not to a field. Use roles here, or move the field to a document type of its own.`]
  return checkWords(coordinate, 'readable', readable)
}

/** Cursors and counts can reveal what a rule hides. */
function checkRevealed(field: Field, model: Model): string[] {
  if (comesFrom(field, 'pointers') && field.storage.orderBy !== undefined && objectType(model, field.target)?.fields.get(field.storage.orderBy)?.readable) {
    return [`${field.coordinate}: it is ordered by ${field.storage.orderBy}, which has a @readable rule, and cursors would reveal the value. Order by another field.`]
  }
  if (!comesFrom(field, 'joining')) return []
  const [target, through] = [model.documents.get(field.target), model.documents.get(field.storage.through)]
  if (target?.readable?.owner === undefined || !through || through.readable?.owner !== undefined) return []
  return [`${field.coordinate}: viewers see only their own ${target.name} documents, but can count the ${through.name} documents of all. Declare ${through.name} @readable(owner: …) too.`]
}

function checkRoot(coordinate: string, rule: Rule, model: Model): string[] {
  const isMutation = coordinate.startsWith('Mutation.')
  const problems = checkWords(coordinate, isMutation ? 'writable' : 'readable', rule)
  if (rule.owner === undefined || problems.length > 0) return problems
  if (!isMutation) return [`${coordinate}: owner does not apply to root fields. Put it on the type that the field returns.`]
  const [typeName = '', fieldName] = rule.owner.split('.')
  const type = model.documents.get(typeName)
  if (!type || fieldName === undefined) return [`${coordinate}: the owner "${rule.owner}" is not a field of a document type. Name the field that holds the owner's id, as "Type.field".`]
  return checkOwner(coordinate, 'writable', type, fieldName)
}

function checkWords(name: string, word: string, rule: Rule | undefined): string[] {
  if (!rule) return []
  const { by, roles, owner } = rule
  if (roles.some((role) => role.trim() === '')) return [`${name}: @${word} has an empty role. Write the role's name as it is in tokens.`]
  if (by === undefined && roles.length === 0 && owner === undefined) return [`${name}: @${word} allows no one. Add by, roles or owner.`]
  if (by === 'PUBLIC' && (roles.length > 0 || owner !== undefined)) return [`${name}: @${word}(by: PUBLIC) already allows everyone. Remove roles and owner, or remove by.`]
  if (by === 'SIGNED_IN' && (roles.length > 0 || owner !== undefined)) return [`${name}: @${word}(by: SIGNED_IN) already allows everyone with a token. Remove roles and owner, or remove by.`]
  return []
}

function checkOwner(name: string, word: string, type: ObjectType, owner: string | undefined): string[] {
  if (owner === undefined) return []
  const field = type.fields.get(owner)
  const hint = `Name a field that holds one id: ${possibleOwners(type).join(', ')}.`
  if (!field) return [`${name}: @${word} has the owner ${owner}, but ${type.name} has no such field. ${hint}`]
  return ownerPath(field) ? [] : [`${name}: @${word} has the owner ${owner}, which does not hold one id. ${hint}`]
}
