// Checks of rules: a rule must name who is allowed, its owner must be a field that holds one id, and no other part of
// the schema may reveal what a rule hides.

import { allFields, isStored, objectType, type DocumentType, type Field, type Model, type ObjectType } from './model.ts'
import { ownerPath, possibleOwners, type Rule } from './rule.ts'

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
  if (writable) return [`${name}: @writable goes on a document type, and ${name} is written with the document that it is in. Put the rule there.`]
  if (readable?.owner !== undefined) return [`${name} is no document type, so nobody owns one by itself. Put owner on the type whose documents it is in.`]
  return checkWords(name, 'readable', readable)
}

function checkField({ coordinate, name, readable }: Field): string[] {
  if (!readable) return []
  if (name === 'id') return [`${coordinate}: documents are found and pointed at by their id, so it can have no rule of its own. Put the rule on the type.`]
  if (readable.owner !== undefined) return [`${coordinate}: owner goes on a type, and decides about whole documents. Give the field roles, or move it to a type of its own.`]
  return checkWords(coordinate, 'readable', readable)
}

/** Cursors and counts can reveal what a rule hides. */
function checkRevealed(field: Field, model: Model): string[] {
  if (isStored(field, 'reverse') && field.storage.orderBy !== undefined && objectType(model, field.target)?.fields.get(field.storage.orderBy)?.readable) {
    return [`${field.coordinate} is ordered by ${field.storage.orderBy}, which not everyone may read, and cursors tell what a list is ordered by. Order by something else.`]
  }
  if (!isStored(field, 'joined')) return []
  const [target, through] = [model.documents.get(field.target), model.documents.get(field.storage.through)]
  if (target?.readable?.owner === undefined || !through || through.readable?.owner !== undefined) return []
  return [`${field.coordinate} leads to ${target.name}, which has an owner, and the ${through.name} documents that lead there can be counted by everyone. Declare ${through.name} @readable(owner: …) too.`]
}

function checkRoot(coordinate: string, rule: Rule, model: Model): string[] {
  const isMutation = coordinate.startsWith('Mutation.')
  const problems = checkWords(coordinate, isMutation ? 'writable' : 'readable', rule)
  if (rule.owner === undefined || problems.length > 0) return problems
  if (!isMutation) return [`${coordinate}: owner goes on a type. Whatever is found here is under the rule of its own type.`]
  const [typeName = '', fieldName] = rule.owner.split('.')
  const type = model.documents.get(typeName)
  if (!type || fieldName === undefined) return [`${coordinate}: the owner is "${rule.owner}". Name the field that says whose a written document is, as "Type.field".`]
  return checkOwner(coordinate, 'writable', type, fieldName)
}

function checkWords(name: string, word: string, rule: Rule | undefined): string[] {
  if (!rule) return []
  const { by, roles, owner } = rule
  if (roles.some((role) => role.trim() === '')) return [`${name}: @${word} names a role with no name. Write the name as tokens have it.`]
  if (by === undefined && roles.length === 0 && owner === undefined) return [`${name}: @${word} does not say by whom. Give by, roles or owner.`]
  if (by === 'PUBLIC' && (roles.length > 0 || owner !== undefined)) return [`${name}: @${word}(by: PUBLIC) is for everyone, so roles and owner say nothing more. Leave them out, or by.`]
  if (by === 'SIGNED_IN' && (roles.length > 0 || owner !== undefined)) return [`${name}: @${word}(by: SIGNED_IN) is for everyone with a token, so roles and owner say nothing more. Leave them out, or by.`]
  return []
}

function checkOwner(name: string, word: string, type: ObjectType, owner: string | undefined): string[] {
  if (owner === undefined) return []
  const field = type.fields.get(owner)
  const hint = `Name a field that holds one id: ${possibleOwners(type).join(', ')}.`
  if (!field) return [`${name}: @${word} names the owner ${owner}, and ${type.name} has no such field. ${hint}`]
  return ownerPath(field) ? [] : [`${name}: @${word} names the owner ${owner}, which does not hold the id of anyone. ${hint}`]
}
