// Which documents subscriptions tell of, by the schema alone: those that are the type of a field of Subscription, or of
// something that such a field answers with.
//
// The change feed is written for them, and for copies that follow through it. An entry costs about as much as a small
// document, so where copies are written together with what they copy, nothing else need be in it.

import { Kind, type DocumentNode, type FieldDefinitionNode } from 'graphql'
import { namedType } from '../model/api/connections.ts'
import type { DocumentType, Model } from '../model/model.ts'
import type { ContainerLayout } from '../store/store.ts'

export function subscribedTypesIn(sdl: DocumentNode, model: Model): ReadonlySet<DocumentType> {
  const told = new Set<DocumentType>()
  const entered = new Set<string>()
  const enter = (typeName: string): void => {
    if (entered.has(typeName)) return
    entered.add(typeName)
    const document = model.documents.get(typeName)
    if (document) told.add(document)
    else for (const { type } of fieldsOf(sdl, typeName)) enter(namedType(type))
  }
  for (const { type } of fieldsOf(sdl, 'Subscription')) {
    const before = told.size
    enter(namedType(type))
    // What such a field tells of, only its resolver knows.
    if (told.size === before && !model.documents.has(namedType(type))) return new Set(model.documents.values())
  }
  return told
}

/** For a gateway that writes copies together with what they copy, where the store can. */
export function layoutOfSubscribed(layout: readonly ContainerLayout[], told: ReadonlySet<DocumentType>): ContainerLayout[] {
  const names = new Set([...told].map(({ container }) => container))
  return layout.map((container) => (container.followed && !names.has(container.name) ? { ...container, followed: 'apart' } : container))
}

function fieldsOf(sdl: DocumentNode, typeName: string): FieldDefinitionNode[] {
  return sdl.definitions.flatMap((node) =>
    ((node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION || node.kind === Kind.INTERFACE_TYPE_DEFINITION) && node.name.value === typeName ? (node.fields ?? []) : []))
}
