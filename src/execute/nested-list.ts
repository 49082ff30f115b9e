// Reads a list within documents as its arguments ask: what they mean is found out once for all rows of a request, and related
// documents that a filter has to look up are read once.

import type { Body } from '../model/json/json.ts'
import type { Field } from '../model/model.ts'
import { nestedList, type NestedArguments } from '../plan/nested-list.ts'
import type { PlanNode } from '../plan/plan.ts'
import { documentOfCopy, narrowList, type ListRequest } from '../read/list-request.ts'
import type { Listing } from '../read/listing.ts'
import type { Asker } from '../read/read-log.ts'
import type { Reads } from '../read/reads.ts'
import type { Declaration } from '../relations/declaration.ts'
import { Copy, type Relation } from '../relations/kind.ts'
import { whenRead, type MaybePending } from '../store/maybe-promise.ts'
import type { StoredDocument } from '../store/store.ts'
import { relatedOnce, type Related } from './related-documents.ts'

export interface NestedLists {
  /** A connection. */
  readonly listing: (holder: Body, args: NestedArguments, reads: Reads, asker: Asker, node: PlanNode) => Listing
  /** The documents of a list of ids, as `lookUp` finds them. */
  readonly documents: (lookUp: (asker: Asker) => MaybePending<readonly (StoredDocument | undefined)[]>, args: NestedArguments, reads: Reads, asker: Asker, node: PlanNode) => MaybePending<readonly StoredDocument[]>
  /** Its copies. */
  readonly copies: (holder: Body, args: NestedArguments, reads: Reads, node: PlanNode) => readonly Copy[]
}

/** Undefined for a field without such arguments. */
export function createNestedLists(field: Field, relation: Relation, declaration: Declaration): NestedLists | undefined {
  const list = nestedList(field, declaration)
  if (!list) return undefined
  const prepare = (args: NestedArguments, reads: Reads, asker: Asker, node: PlanNode): Prepared => {
    const { asked, related } = list.ask(args, reads.access, node.filtering)
    return { asked, related: relatedOnce(related, reads, asker) }
  }
  return {
    listing(holder, args, reads, asker, node) {
      const { asked, related } = (ofNode(reads, node).documents ??= prepare(args, reads, asker, node))
      const listing = (node.choice?.fresh ? relation.fresh! : relation.lookUp)(holder, reads, related ? related.after(asker) : asker, asked) as Listing
      if (!related) return listing
      const { found } = related
      return { scope: listing.scope, page: (window) => whenRead(found(), () => listing.page(window)), count: () => whenRead(found(), () => listing.count()) }
    },
    documents(lookUp, args, reads, asker, node) {
      const { asked, related } = (ofNode(reads, node).documents ??= prepare(args, reads, asker, node))
      const looked = lookUp(asker)
      const narrowed = (): MaybePending<readonly StoredDocument[]> => whenRead(looked, (documents) => narrowList(asked, documents, (document) => document))
      return related ? whenRead(related.found(), narrowed) : narrowed()
    },
    copies(holder, args, reads, node) {
      const asked = (ofNode(reads, node).copies ??= list.askCopies(args, reads.access))
      return narrowList(asked, relation.copies!(holder), documentOfCopy).map((body) => new Copy(body))
    },
  }
}

function ofNode(reads: Reads, node: PlanNode): OfNode {
  return reads.once(node, () => ({ documents: undefined, copies: undefined }))
}

/** What was found out for all rows of a node. */
interface OfNode {
  documents: Prepared | undefined
  copies: ListRequest | undefined
}

interface Prepared {
  readonly asked: ListRequest
  readonly related: Related | undefined
}
