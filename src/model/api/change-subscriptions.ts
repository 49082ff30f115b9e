// The subscriptions that Quire generates for types with `@subscribable`: `postChanged` tells each change of a Post, with its kind.

import { parse, type DocumentNode } from 'graphql'
import type { DocumentType, Model } from '../model.ts'

/** By the name of their field; prepared once, because rules ask for every field. */
export function changeSubscriptions(model: Model): ReadonlyMap<string, DocumentType> {
  let known = ofModels.get(model)
  if (!known) ofModels.set(model, (known = new Map([...model.documents.values()].filter(({ subscribable }) => subscribable).map((type) => [`${type.singular}Changed`, type]))))
  return known
}

/** The type whose changes `Subscription.field` tells. */
export function changesToldAt(model: Model, coordinate: string): DocumentType | undefined {
  return coordinate.startsWith('Subscription.') ? changeSubscriptions(model).get(coordinate.slice('Subscription.'.length)) : undefined
}

/** `extend` where the schema defines subscriptions of its own. */
export function changeSubscriptionsSdl(model: Model, extend: boolean): DocumentNode | undefined {
  const fields = [...changeSubscriptions(model)]
  return fields.length === 0 ? undefined : parse([kindSdl, ...fields.map(([, type]) => changeSdl(type)), `${extend ? 'extend' : '"Changes as they happen."'} type Subscription { ${fields.map(([field, type]) => fieldSdl(field, type)).join(' ')} }`].join('\n'))
}

function fieldSdl(field: string, { name }: DocumentType): string {
  return /* GraphQL */ `
    """
    Each change of a ${name}: its latest state, at least once, without states in between that are replaced before they are told. Every event has a
    cursor in \`extensions.quire.cursor\`. After a disconnect, pass the last one as \`after\` to receive every ${name} that has changed since.
    """
    ${field}(
      "Tells only documents that match after the change, or before they were deleted."
      filter: ${name}Filter
      "The cursor of the last event that the client received."
      after: String
    ): ${name}Change!
  `
}

function changeSdl({ name, singular }: DocumentType): string {
  return /* GraphQL */ `
    "A change of a ${name}."
    type ${name}Change {
      "What happened to the document."
      kind: ChangeKind!
      "The id of the document."
      id: ID!
      "The document as it is now; null if it was deleted."
      ${singular}: ${name}
    }
  `
}

const kindSdl = /* GraphQL */ `
  "What happened to a document, as far as its latest change says."
  enum ChangeKind {
    "It is new, and has not been changed since."
    CREATED
    "It was changed."
    UPDATED
    "It was deleted."
    DELETED
  }
`

const ofModels = new WeakMap<Model, ReadonlyMap<string, DocumentType>>()
