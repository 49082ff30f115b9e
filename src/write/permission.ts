// What one mutation may do for its viewer. `Change` asks here for everything that a mutation reads or changes, so no
// mutation can forget to. Effects on snapshots, lists and counts are Quire's own writes and are not checked.

import type { GraphQLError } from 'graphql'
import { clientError } from '../graphql-errors.ts'
import type { Access } from '../auth/access.ts'
import type { DocumentType, Field } from '../model/model.ts'
import type { Rule } from '../model/rule.ts'
import type { Condition } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import type { Entry } from '../relations/maintenance.ts'

export class Permission {
  readonly #access: Access
  readonly #coordinate: string

  /** `coordinate` is the mutation's, such as `Mutation.createOrder`. */
  constructor(access: Access, coordinate: string) {
    this.#access = access
    this.#coordinate = coordinate
  }

  /** Whether the viewer may see a document. Viewers cannot change or reference documents that they cannot see. */
  sees(entry: Omit<Entry, 'container' | 'key' | 'etag'>): boolean {
    const { type, after, before } = entry
    const body = after ?? before
    return !type || !body || this.#access.sees(type, body)
  }

  /** Whether the viewer may look for documents by a field: only then may an error say which values are stored. */
  findsBy(type: DocumentType, field: Field): boolean {
    return this.#access.canFilterBy(type, field)
  }

  /** The condition, limited to documents that the viewer may see; undefined where there can be none. */
  narrowed(type: DocumentType, where: Condition): Condition | undefined {
    if (this.#access.reading(type) === 'refused') return undefined
    const own = this.#access.own(type)
    return own ? { op: 'and', conditions: [{ op: 'eq', ...own }, where] } : where
  }

  /** Refuses to turn `before` into `after`; undefined means that there is no document. */
  check(type: DocumentType, before: Body | undefined, after: Body | undefined): void {
    const rule = this.#ownerRule(type)
    if (!rule) return
    if (before && !this.#access.owns(type, rule, before)) throw clientError('FORBIDDEN', `Forbidden: ${type.name} ${String(before['id'])} belongs to another owner.`)
    if (after && !this.#access.owns(type, rule, after)) {
      throw clientError('FORBIDDEN', `Forbidden: ${type.name}.${rule.owner!.split('.').at(-1)} names another owner. Give your own id.`)
    }
  }

  /** Stands in the payload for a document that was written and that the viewer may not read. */
  unreadable(type: DocumentType): GraphQLError {
    return clientError('FORBIDDEN', `Forbidden: the ${type.name} was written, but you may not read it.`)
  }

  /** The rule that lets only owners write; undefined where the viewer may write every document. */
  #ownerRule(type: DocumentType): Rule | undefined {
    const called = this.#access.callRule(this.#coordinate)
    const calling = called && this.#access.asking(this.#coordinate)
    if (calling === 'free') return undefined
    if (calling === 'own' && called!.owner!.startsWith(`${type.name}.`)) return called
    switch (this.#access.writing(type)) {
      case 'free': return undefined
      case 'own': return type.writable
      case 'refused': throw this.#access.refusal(this.#coordinate)
    }
  }
}
