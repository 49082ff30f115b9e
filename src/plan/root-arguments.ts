// The arguments of the root fields, as the reads that they ask for: which document, or which list in which
// order. Resolvers and explain both read arguments here, so each has one meaning. Pages are in page-window.ts.

import { badInput } from '../errors.ts'
import type { Access } from '../auth/access.ts'
import { partitionArguments } from '../model/api/root-fields.ts'
import { readNodeId } from '../model/keys/node-id.ts'
import { numericId } from '../model/keys/numeric-id.ts'
import type { DocumentType, Model } from '../model/model.ts'
import type { Order, Selection } from '../store/query.ts'
import { createFilter, type FilterInput, type OrderInput } from './filter.ts'

export interface ListArguments {
  readonly filter?: FilterInput | null
  readonly orderBy?: OrderInput | null
}

export interface RootArguments {
  /** The document that `post(id:, …)` asks for, with the properties of its partition key that are given. */
  readonly one: (args: Readonly<Record<string, unknown>>) => { readonly id: string; readonly known: Readonly<Record<string, unknown>> }
  /** The list that `posts(filter:, orderBy:)` asks for. Throws if it uses fields that the viewer may not read. */
  readonly list: (args: ListArguments, access?: Access) => { readonly selection: Selection; readonly orderBy: Order }
}

export function rootArguments(type: DocumentType): RootArguments {
  const { select, order } = createFilter(type)
  const located = partitionArguments(type)
  return {
    one: (args) => ({
      id: args['id'] as string,
      known: Object.fromEntries(located.map(({ name, property, numeric }) => {
        const given = args[name] ?? undefined
        return [property, numeric && typeof given === 'string' ? numericId(given) : given]
      })),
    }),
    list: ({ filter, orderBy }, access) => ({ selection: select(filter, access), orderBy: order(orderBy, access) }),
  }
}

/** The document that `node(nodeId:)` asks for. */
export function nodeArgument(model: Model, { nodeId }: { readonly nodeId: string }): NonNullable<ReturnType<typeof readNodeId>> {
  const found = readNodeId(model, nodeId)
  if (!found) throw badInput(`"${nodeId.slice(0, 80)}" is not a global id. Take one from a nodeId field.`)
  return found
}
