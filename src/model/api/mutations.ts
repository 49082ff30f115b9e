// The mutations that follow from the model: creating, updating and deleting documents of every type,
// with Relay's inputs and payloads. What Quire keeps true by itself cannot be written.

import { parse, type DocumentNode } from 'graphql'
import { idArgument } from './filters.ts'
import { allFields, isStored, objectType, type ContainedType, type DocumentType, type Field, type Model } from '../model.ts'
import { holdsIds, isPointer } from '../pointers.ts'
import { partitionArguments } from './root-fields.ts'

export function mutationsSdl(model: Model): DocumentNode {
  const documents = [...model.documents.values()]
  return parse([
    ...documents.map(documentSdl),
    ...writableTypes(model).map((type) => containedSdl(type)),
    ...[...model.unions].filter(([name]) => isWritten(model, name)).map(([name, members]) => unionSdl(name, members)),
  ].join('\n'))
}

/** How a field is given in an input: `writerId`, `addresses`, or not at all. */
export function inputName(field: Field): string | undefined {
  if (isPointer(field)) return idArgument(field)
  return isStored(field, 'stored', 'contained') ? field.name : undefined
}

/** The member of a union is given under its own name, as one of several fields. */
export function memberName(member: ContainedType): string {
  return member.name.charAt(0).toLowerCase() + member.name.slice(1)
}

function documentSdl(type: DocumentType): string {
  const { name, singular } = type
  const aName = withArticle(name)
  const located = new Set<string | undefined>(partitionArguments(type).map((argument) => argument.name))
  const fields = [...type.fields.values()].filter((field) => field.name !== 'id')
  return /* GraphQL */ `
    extend type Mutation {
      "Creates ${aName}."
      create${name}("What to create." input: Create${name}Input!): Create${name}Payload!
      "Changes what is given of ${aName} and leaves the rest."
      update${name}("What to change." input: Update${name}Input!): Update${name}Payload!
      "Deletes ${aName}, unless something that may not lose it points at it."
      delete${name}("What to delete." input: Delete${name}Input!): Delete${name}Payload!
    }

    "${capital(aName)} to create."
    input Create${name}Input {
      ${clientMutationId}
      "The id it is to have; one is made up if none is given."
      id: ID
      ${fields.flatMap((field) => inputFieldSdl(field, true)).join(' ')}
    }

    "What to change of ${aName}. What is not given stays as it is; null empties what may be empty."
    input Update${name}Input {
      ${clientMutationId}
      "Which one."
      id: ID!
      "Change it only if this is still its etag."
      ifMatch: String
      ${fields.filter((field) => !located.has(inputName(field))).flatMap((field) => inputFieldSdl(field, false)).join(' ')}
    }

    "Which ${name} to delete."
    input Delete${name}Input {
      ${clientMutationId}
      "Which one."
      id: ID!
      "Delete it only if this is still its etag."
      ifMatch: String
    }
    ${['Create', 'Update', 'Delete'].map((verb) => `
      "What has become of the ${name}."
      type ${verb}${name}Payload {
        "As it was given."
        clientMutationId: String
        "${verb === 'Delete' ? 'The document as it was last.' : 'The document as it is now.'}"
        ${singular}: ${name}!
      }`).join('')}
  `
}

const clientMutationId = '"Comes back in the payload." clientMutationId: String'

function containedSdl(type: ContainedType): string {
  return `"${capital(withArticle(type.name))} to write." input ${type.name}Input { ${[...type.fields.values()].flatMap((field) => inputFieldSdl(field, true)).join(' ')} }`
}

function unionSdl(name: string, members: readonly ContainedType[]): string {
  return `"${capital(withArticle(name))} to write: exactly one of these." input ${name}Input @oneOf {
    ${members.map((member) => `"As ${withArticle(member.name)}." ${memberName(member)}: ${member.name}Input`).join(' ')} }`
}

/** Nothing is required when it is changed, and a list may always be left out. */
function inputFieldSdl(field: Field, creating: boolean): string[] {
  const name = inputName(field)
  if (name === undefined) return []
  const given = holdsIds(field) ? 'ID' : field.leaf ? field.target : `${field.target}Input`
  const required = creating && field.required && field.shape === 'one' ? '!' : ''
  return [`${JSON.stringify(describe(field))} ${name}: ${field.shape === 'list' ? `[${given}!]` : given}${required}`]
}

function describe(field: Field): string {
  if (holdsIds(field)) return field.shape === 'list' ? `The ids of its ${field.name}.` : `The id of its ${field.name}.`
  return field.description ?? `Its ${field.name}.`
}

function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Contained types that something writes, other than by appending to a list of its own. */
function writableTypes(model: Model): ContainedType[] {
  const members = [...model.unions].filter(([name]) => isWritten(model, name)).flatMap(([, types]) => types)
  const direct = [...model.contained.values()].filter(({ name }) => isWritten(model, name))
  return [...new Set([...direct, ...members])]
}

function isWritten(model: Model, name: string): boolean {
  return allFields(model).some((field) => field.target === name && !field.leaf && (field.storage.kind === 'stored' || field.storage.kind === 'contained')
    && (model.documents.has(field.owner) || (objectType(model, field.owner) !== undefined && field.owner !== name && isWritten(model, field.owner))))
}
