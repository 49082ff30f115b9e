// The document types that subscriptions can return, by the schema alone: those that a field of Subscription
// returns, directly or inside what it returns.
//
// The change feed has entries for these types, and for snapshots that follow through it. An entry costs about as
// much as a small document, so where snapshots are written together with their sources, no other type needs entries.

import { Kind, type DocumentNode, type FieldDefinitionNode } from 'graphql'
import { namedType } from '../model/api/connections.ts'
import type { DocumentType, Model } from '../model/model.ts'
import type { ContainerLayout } from '../store/store.ts'

export function subscribedTypesIn(sdl: DocumentNode, model: Model): ReadonlySet<DocumentType> {
  const subscribed = new Set<DocumentType>()
  const entered = new Set<string>()
  const enter = (typeName: string): void => {
    if (entered.has(typeName)) return
    entered.add(typeName)
    const document = model.documents.get(typeName)
    if (document) subscribed.add(document)
    else for (const { type } of fieldsOf(sdl, typeName)) enter(namedType(type))
  }
  for (const { type } of fieldsOf(sdl, 'Subscription')) {
    const before = subscribed.size
    enter(namedType(type))
    // Only the resolver knows which types such a field depends on, so it may be any.
    if (subscribed.size === before && !model.documents.has(namedType(type))) return new Set(model.documents.values())
  }
  return subscribed
}

/** The layout for a gateway that writes snapshots together with their sources, where the store can do that. */
export function layoutOfSubscribed(layout: readonly ContainerLayout[], subscribed: ReadonlySet<DocumentType>): ContainerLayout[] {
  const names = new Set([...subscribed].map(({ container }) => container))
  return layout.map((container) => (container.followed && !names.has(container.name) ? { ...container, followed: 'apart' } : container))
}

function fieldsOf(sdl: DocumentNode, typeName: string): FieldDefinitionNode[] {
  return sdl.definitions.flatMap((node) =>
    ((node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION || node.kind === Kind.INTERFACE_TYPE_DEFINITION) && node.name.value === typeName ? (node.fields ?? []) : []))
}
