// Everything that Quire adds to a schema: the vocabulary, connections, root fields, mutations and their inputs, subscriptions. With it, the SDL
// of a user is complete for tools that know nothing of Quire.

import { Kind, type DocumentNode } from 'graphql'
import type { Model } from '../model.ts'
import { joined, vocabulary } from '../sdl/read-sdl.ts'
import { baseSdl, withConnections } from './connections.ts'
import { changeSubscriptionsSdl } from './change-subscriptions.ts'
import { mutationsSdl } from './mutations.ts'
import { rootFieldsSdl } from './root-fields.ts'

export function addedSdl(given: DocumentNode, model: Model): DocumentNode {
  const complete = withConnections(given)
  const connections = { kind: Kind.DOCUMENT, definitions: complete.definitions.slice(given.definitions.length) } as const
  const defined = complete.definitions.flatMap((node) => (node.kind === Kind.OBJECT_TYPE_DEFINITION ? [node.name.value] : []))
  const subscriptions = changeSubscriptionsSdl(model, defined.includes('Subscription'))
  return joined([vocabulary, baseSdl, connections, rootFieldsSdl(model, new Set(defined)), mutationsSdl(model), ...(subscriptions ? [subscriptions] : [])])
}
