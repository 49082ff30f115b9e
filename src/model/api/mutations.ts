// The generated mutations: create, update, upsert and delete for every document type, one document or many, with Relay's inputs and
// payloads. Fields that Quire maintains itself are not in the inputs.

import { parse, type DocumentNode } from 'graphql'
import { idArgument } from './filters.ts'
import { comesFrom, type ContainedType, type DocumentType, type Field, type Model, type ObjectType } from '../model.ts'
import { holdsIds, isPointer } from '../pointers.ts'
import { capital, mutationsOf } from './generated-mutations.ts'
import { incrementArgumentSdl, incrementSdl } from './increments.ts'
import { fieldNamed } from './plurals.ts'
import { partitionArguments } from './root-fields.ts'

export function mutationsSdl(model: Model): DocumentNode {
  const documents = [...model.documents.values()]
  const written = writtenTypes(model)
  return parse([
    writeFailureSdl,
    ...documents.map(documentSdl),
    ...writableTypes(model, written).map((type) => containedSdl(type)),
    ...[...model.unions].filter(([name]) => written.has(name)).map(([name, members]) => unionSdl(name, members)),
  ].join('\n'))
}

/** The name of a field in inputs, such as `writerId` or `addresses`; undefined where clients cannot write it. */
export function inputName(field: Field): string | undefined {
  if (isPointer(field)) return idArgument(field)
  return comesFrom(field, 'client', 'part') ? field.name : undefined
}

/** The input of a union is a `@oneOf` input with one field for each member; this is the name of that field. */
export function memberName(member: ContainedType): string {
  return fieldNamed(member.name)
}

function documentSdl(type: DocumentType): string {
  const { name, singular } = type
  const aName = withArticle(name)
  const located = new Set<string | undefined>(partitionArguments(type).map((argument) => argument.name))
  const fields = [...type.fields.values()].filter((field) => field.name !== 'id')
  return /* GraphQL */ `
    extend type Mutation {
      "Creates ${aName}."
      create${name}("The document to create." input: Create${name}Input!): Create${name}Payload!
      "Updates the given fields of ${aName}."
      update${name}("The changes." input: Update${name}Input!): Update${name}Payload!
      "Updates the given fields of ${aName}, or creates it if there is none with this id."
      upsert${name}("The document as it should be." input: Upsert${name}Input!): Upsert${name}Payload!
      "Deletes ${aName}. Fails while another document must keep a reference to it."
      delete${name}("The document to delete." input: Delete${name}Input!): Delete${name}Payload!
      ${mutationsOf(type).filter(({ many }) => many).map(({ field, verb }) => `"${manyDescriptions[verb]} ${type.plural}: all of them or none, where the store can write all of them as one." ${field}("One for each document, in order." inputs: [${capital(verb)}${name}Input!]!): ${name}BatchPayload!`).join(' ')}
    }

    "The input of create${name}."
    input Create${name}Input {
      ${clientMutationId}
      "The id of the new document. Quire generates one by default."
      id: ID
      ${fields.flatMap((field) => inputFieldSdl(field, 'create')).join(' ')}
    }

    "The input of update${name}. Omitted fields stay as they are; null clears a nullable field."
    input Update${name}Input {
      ${clientMutationId}
      "The id of the document."
      id: ID!
      "Update only if the document still has this etag."
      ifMatch: String
      ${incrementArgumentSdl(type)}
      ${fields.filter((field) => !located.has(inputName(field))).flatMap((field) => inputFieldSdl(field, 'update')).join(' ')}
    }

    ${incrementSdl(type)}

    "The input of upsert${name}. Where the document exists, omitted fields stay as they are."
    input Upsert${name}Input {
      ${clientMutationId}
      "The id of the document."
      id: ID!
      ${fields.flatMap((field) => inputFieldSdl(field, 'upsert')).join(' ')}
    }

    "The input of delete${name}."
    input Delete${name}Input {
      ${clientMutationId}
      "The id of the document."
      id: ID!
      "Delete only if the document still has this etag."
      ifMatch: String
    }
    ${['Create', 'Update', 'Upsert', 'Delete'].map((verb) => `
      "The result of ${verb.toLowerCase()}${name}."
      type ${verb}${name}Payload {
        "The clientMutationId of the input."
        clientMutationId: String
        "${verb === 'Delete' ? 'The document before it was deleted.' : `The document after the ${verb === 'Create' ? 'creation' : 'update'}.`}"
        ${singular}: ${name}!
        ${verb === 'Upsert' ? '"Whether there was no such document before." created: Boolean!' : ''}
      }`).join('')}

    "The results of writing several ${type.plural}."
    type ${name}BatchPayload {
      "How many were written."
      written: Int!
      "Whether they are written as one: then all of them were written, or none."
      atomic: Boolean!
      "One for each input, in order."
      results: [${name}BatchResult!]!
    }

    "The result of writing one of several ${type.plural}."
    type ${name}BatchResult {
      "The clientMutationId of its input."
      clientMutationId: String
      "The document after the write, or before it was deleted; null if it was not written."
      ${singular}: ${name}
      "Why it was not written."
      failure: WriteFailure
    }
  `
}

const manyDescriptions = { create: 'Creates', update: 'Updates', upsert: 'Updates or creates', delete: 'Deletes' }

const writeFailureSdl = /* GraphQL */ `
  "Why one of several documents was not written."
  type WriteFailure {
    "An error code, such as NOT_FOUND; ABORTED if it was not written because another one failed."
    code: String!
    "What failed, why, and what to do."
    message: String!
  }
`

const clientMutationId = '"Returned unchanged in the payload." clientMutationId: String'

function containedSdl(type: ContainedType): string {
  return `"The input of ${withArticle(type.name)}." input ${type.name}Input { ${[...type.fields.values()].flatMap((field) => inputFieldSdl(field, 'create')).join(' ')} }`
}

function unionSdl(name: string, members: readonly ContainedType[]): string {
  return `"The input of ${withArticle(name)}: give exactly one field." input ${name}Input @oneOf {
    ${members.map((member) => `"${capital(withArticle(member.name))}." ${memberName(member)}: ${member.name}Input`).join(' ')} }`
}

/**
 * Updates require no field. A list may be omitted, unless it needs entries. A default is part of the input only where it cannot replace a
 * stored value: an upsert may find a document, whose omitted fields stay, and a new one gets its defaults when it is made.
 */
function inputFieldSdl(field: Field, writing: 'create' | 'update' | 'upsert'): string[] {
  const name = inputName(field)
  if (name === undefined) return []
  const given = holdsIds(field) ? 'ID' : field.leaf ? field.target : `${field.target}Input`
  const isNeeded = field.shape === 'one' ? field.required : (field.constraint?.minItems ?? 0) > 0
  const required = isNeeded && (writing === 'create' || (writing === 'upsert' && !field.default)) ? '!' : ''
  const otherwise = writing === 'create' && field.default ? ` = ${field.default.literal}` : ''
  return [`${JSON.stringify(describe(field))} ${name}: ${field.shape === 'list' ? `[${given}!]` : given}${required}${otherwise}`]
}

function describe(field: Field): string {
  if (holdsIds(field)) return field.shape === 'list' ? `The ids of its ${field.name}.` : `The id of its ${field.name}.`
  return field.description ?? `Its ${field.name}.`
}

function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`
}

/**
 * The names of the contained types and unions that are part of an input, those inside members of unions too. Entries of bucketed lists are
 * appended by the domain's own mutations.
 */
function writtenTypes(model: Model): Set<string> {
  const written = new Set<string>()
  const visit = ({ fields }: ObjectType): void => {
    for (const field of fields.values()) {
      if (field.leaf || written.has(field.target) || !comesFrom(field, 'client', 'part')) continue
      written.add(field.target)
      for (const inner of model.unions.get(field.target) ?? [model.contained.get(field.target)]) if (inner) visit(inner)
    }
  }
  for (const type of model.documents.values()) visit(type)
  return written
}

function writableTypes(model: Model, written: ReadonlySet<string>): ContainedType[] {
  const members = [...model.unions].filter(([name]) => written.has(name)).flatMap(([, types]) => types)
  const direct = [...model.contained.values()].filter(({ name }) => written.has(name))
  return [...new Set([...direct, ...members])]
}
