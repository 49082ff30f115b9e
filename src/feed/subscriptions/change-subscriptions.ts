// The resolvers of generated subscriptions, such as `postChanged(filter:)`. Which changes there are, and which of them the viewer may see, is
// the change stream's part.

import { badInput } from '../../graphql-errors.ts'
import type { ChangeEvent } from '../change-stream.ts'
import { changeSubscriptions } from '../../model/api/change-subscriptions.ts'
import type { DocumentType } from '../../model/model.ts'
import { rootArguments, type ListArguments } from '../../plan/field-arguments.ts'
import type { Reads } from '../../read/reads.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { matches } from '../../store/conditions.ts'
import type { Condition } from '../../store/query.ts'

interface SubscriptionContext {
  readonly quire: { readonly reads: Reads; readonly changes: { all(typeName: string, after?: string | null): AsyncGenerator<ChangeEvent> } }
}

interface SubscriptionResolver {
  readonly subscribe: (source: unknown, args: Pick<ListArguments, 'filter'> & { readonly after?: string | null }, context: SubscriptionContext) => AsyncGenerator<ChangeEvent>
  readonly resolve: (event: ChangeEvent) => object
}

export function createChangeSubscriptions(declaration: Declaration): Record<string, SubscriptionResolver> {
  return Object.fromEntries([...changeSubscriptions(declaration.model)].map(([field, type]) => [field, resolverOf(field, type, declaration)]))
}

function resolverOf(field: string, type: DocumentType, declaration: Declaration): SubscriptionResolver {
  const { list } = rootArguments(type, declaration)
  return {
    subscribe(_, { filter, after }, { quire: { reads, changes } }) {
      const { selection, related } = list({ filter: filter ?? null }, reads.access)
      const unanswered = related.find(({ lookup }) => lookup)
      if (unanswered) throw badInput(`${field} cannot be filtered by ${unanswered.field.coordinate}: it would be looked up for every change. Filter by fields of ${type.name}, or by indexed copies.`)
      const events = changes.all(type.name, after)
      return selection.where ? matching(events, selection.where) : events
    },
    resolve: ({ kind, document }) => ({ kind, id: document.key.id, [type.singular]: kind === 'DELETED' ? null : document }),
  }
}

async function* matching(events: AsyncGenerator<ChangeEvent>, where: Condition): AsyncGenerator<ChangeEvent> {
  for await (const event of events) if (matches(where, event.document.body)) yield event
}
