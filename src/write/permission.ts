// What one mutation may do on behalf of whoever calls it. Everything that a mutation reads and changes goes through a
// change, and a change asks here, so that no mutation can forget to. What follows from a change for copies, lists
// and counts is nobody's wish, and is not asked about.

import type { GraphQLError } from 'graphql'
import { clientError } from '../errors.ts'
import type { Access } from '../auth/access.ts'
import type { DocumentType } from '../model/model.ts'
import type { Rule } from '../model/rule.ts'
import type { Condition } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import type { Entry } from '../relations/maintenance.ts'

export class Permission {
  readonly #access: Access
  readonly #coordinate: string

  /** `coordinate` is that of the mutation. */
  constructor(access: Access, coordinate: string) {
    this.#access = access
    this.#coordinate = coordinate
  }

  /** Whether a document is there for whoever asks. */
  sees({ type, after, before }: Pick<Entry, 'type' | 'after' | 'before'>): boolean {
    const body = after ?? before
    return !type || !body || this.#access.sees(type, body)
  }

  /** The same condition, of what is there for them; undefined where nothing is. */
  narrowed(type: DocumentType, where: Condition): Condition | undefined {
    if (this.#access.reading(type) === 'refused') return undefined
    const own = this.#access.own(type)
    return own ? { op: 'and', conditions: [{ op: 'eq', ...own }, where] } : where
  }

  /** Refuses to make that of a document; undefined is not there. */
  check(type: DocumentType, before: Body | undefined, after: Body | undefined): void {
    const rule = this.#owning(type)
    if (!rule) return
    if (before && !this.#access.owns(type, rule, before)) throw clientError('FORBIDDEN', `${type.name} ${String(before['id'])} is not yours to write.`)
    if (after && !this.#access.owns(type, rule, after)) {
      throw clientError('FORBIDDEN', `${type.name}.${rule.owner!.split('.').at(-1)} says whose a ${type.name} is, and you can write only what is yours. Give your own id.`)
    }
  }

  /** What is answered in place of a document that was written and is not there to be read. */
  unseen(type: DocumentType): GraphQLError {
    return clientError('FORBIDDEN', `It is written, and a ${type.name} like this is not for you to read.`)
  }

  /** The rule by which only owners may write; undefined where everything may be written. */
  #owning(type: DocumentType): Rule | undefined {
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
