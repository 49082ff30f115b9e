// `mutation @atomic`: the fields of one operation as one write. Each field's unit of work waits here until all fields have handed in
// theirs; then they run one after the other over the same pending changes, and all of it is committed or nothing is. How the
// fields are resolved side by side is the matter of execute/atomic-execution.ts.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GraphQLResolveInfo } from 'graphql'
import { clientError } from '../graphql-errors.ts'
import type { Reads } from '../read/reads.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Meter, StoredDocument } from '../store/store.ts'
import type { Mutate } from './mutations.ts'
import { Permission } from './permission.ts'
import type { UnitOfWork, Writer } from './writer.ts'

interface Field {
  unit?: { readonly work: UnitOfWork<Record<string, Entry>>; readonly permission: Permission | undefined; readonly meter: Meter | undefined }
  readonly written: PromiseWithResolvers<Record<string, StoredDocument>>
  hasEnded: boolean
}

export class AtomicMutation {
  readonly #writer: Writer
  readonly #reads: Reads
  readonly #onWritten: () => Promise<unknown>
  /** In the order of the operation. */
  readonly #fields = new Map<string | number, Field>()
  #areAllBegun = false
  #isDecided = false

  constructor(writer: Writer, reads: Reads, onWritten: () => Promise<unknown>) {
    this.#writer = writer
    this.#reads = reads
    this.#onWritten = onWritten
  }

  readonly mutate: Mutate = async ({ clientMutationId = null }, info, work) => {
    const field = this.#fields.get(info.path.key)
    if (!field || field.unit) throw new Error(`${info.parentType.name}.${info.fieldName} called quire.mutate more than once in an @atomic operation. The first call is written with the other fields, and this one is not. Make its changes in one unit of work.`)
    const name = `${info.parentType.name}.${info.fieldName}`
    const { access } = this.#reads
    field.unit = { work, permission: access && new Permission(access, name), meter: this.#reads.meterFor({ field: name, place: info.path, stage: 0 }) }
    this.#advance()
    return { ...(await field.written.promise), clientMutationId } as never
  }

  /** Resolves a root field. */
  resolve({ path: { key } }: GraphQLResolveInfo, run: () => unknown): unknown {
    const field: Field = { written: Promise.withResolvers(), hasEnded: false }
    // A field that fails by itself may never look at it.
    field.written.promise.catch(() => undefined)
    this.#fields.set(key, field)
    const resolved = (async () => run())()
    resolved.then(() => this.#end(field, false), () => this.#end(field, true))
    return resolved
  }

  /** All fields have begun; `expected` is how many the operation has. One that did not begin has failed. */
  begun(expected: number): void {
    this.#areAllBegun = true
    if (this.#fields.size < expected) this.#abort()
    else this.#advance()
  }

  #end(field: Field, failed: boolean): void {
    field.hasEnded = true
    // Before the write, a field fails alone.
    if (failed) this.#abort()
    else this.#advance()
  }

  #advance(): void {
    if (this.#isDecided || !this.#areAllBegun || ![...this.#fields.values()].every(({ unit, hasEnded }) => unit ?? hasEnded)) return
    this.#isDecided = true
    void this.#write([...this.#fields.values()].filter(({ unit }) => unit))
  }

  #abort(): void {
    if (this.#isDecided) return
    this.#isDecided = true
    void rejectLast([...this.#fields.values()])
  }

  async #write(fields: readonly Field[]): Promise<void> {
    let failing: Field | undefined
    try {
      const units = fields.map((field) => ({ permission: field.unit!.permission, work: (...change: Parameters<UnitOfWork<Record<string, Entry>>>) => {
        failing = field
        return field.unit!.work(...change)
      } }))
      const documents = await this.#writer.writeTogether(units, fields[0]?.unit?.meter, () => (failing = undefined))
      this.#reads.forget()
      // The write is committed, so a failure from here on must not report it as failed.
      await this.#onWritten().catch(() => undefined)
      for (const [at, { written }] of fields.entries()) written.resolve(documents[at]!)
    } catch (error) {
      const others = failing === undefined ? [] : fields.filter((field) => field !== failing)
      for (const field of fields) if (!others.includes(field)) field.written.reject(error)
      await rejectLast(others)
    }
  }
}

/** Where one error makes the whole answer null, GraphQL.js reports only the first: that of the field that failed. */
async function rejectLast(fields: readonly Field[]): Promise<void> {
  await nextTurn()
  for (const { written } of fields) written.reject(aborted())
}

function aborted(): Error {
  return clientError('ABORTED', 'Nothing was written: another field of this @atomic mutation failed. Correct that one, and send all of them again.')
}
