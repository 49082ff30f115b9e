// Writing: a piece of work is done on a changeset, what follows from it is worked out, and everything is
// written as one. A store whose atomic scope is a partition writes partition by partition instead, in an
// order that leaves nothing pointing nowhere, and has the change feed see to what follows elsewhere.

import { setTimeout as pause } from 'node:timers/promises'
import type { GraphQLError } from 'graphql'
import type { Declaration } from '../relations/declaration.ts'
import { clientError } from '../errors.ts'
import { currentOperation, type OperationContext } from '../store/operation-context.ts'
import { ConflictError, type Meter, type Store, type StoredDocument, type Write } from '../store/store.ts'
import { withLock } from '../store/with-lock.ts'
import { Change } from './change.ts'
import type { Entry } from '../relations/maintenance.ts'
import { Changeset } from './changeset.ts'
import { Effects } from './effects.ts'
import { rememberLeft } from './removed-references.ts'
import type { Permission } from './permission.ts'
import { stepsOf } from './write-steps.ts'

/** What one mutation does: it reads and changes through the changeset, and answers with entries of it. */
export type Work<T> = (change: Change) => Promise<T>

/** When others are made true: together with the document that changes, or later, through the change feed. */
export type EffectsMode = 'together' | 'feed'

/** Told of what has been written: the first entries are what the work itself has changed, the others followed from it. */
export type OnWritten = (entries: readonly Entry[], own: number) => void

/** How often a piece of work is done anew because others changed what it had read. */
const maxTries = 50

export class Writer {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #effects: Effects
  readonly #mode: EffectsMode
  readonly #onWritten: OnWritten | undefined

  constructor(declaration: Declaration, store: Store, mode: EffectsMode = 'together', onWritten?: OnWritten) {
    this.#declaration = declaration
    this.#store = store
    this.#effects = new Effects(declaration)
    this.#mode = mode
    this.#onWritten = onWritten
  }

  /** Runs the work and writes what it changed together with all that follows. If anything fails, nothing is written. Without a permission, all may be done. */
  async write<T extends Record<string, Entry>>(work: Work<T>, meter?: Meter, permission?: Permission): Promise<{ [K in keyof T]: StoredDocument }> {
    const { worked, changes, etags, own } = await (this.#store.supports.atomic === 'store' ? this.#together(work, meter, permission) : this.#apart(work, meter, permission))
    this.#onWritten?.(changes.entries, own)
    const answered = Object.entries(worked).map(([name, entry]) => [name, answerOf(changes.pending(entry) ?? entry, etags, permission)])
    return Object.fromEntries(answered) as { [K in keyof T]: StoredDocument }
  }

  #changeset(meter: Meter | undefined): Changeset {
    return new Changeset(this.#store, meter, (type, body) => this.#effects.shown(type, body))
  }

  async #together<T>(work: Work<T>, meter: Meter | undefined, permission: Permission | undefined): Promise<Done<T>> {
    let worked: T | undefined
    let writes: readonly Write[] = []
    let own = 0
    let changes = this.#changeset(meter)
    const operationContext = currentOperation()
    const etags = await untilWritten(operationContext, this.#store.atomically(async () => {
      // Its turn may come when nobody waits for it any more.
      operationContext?.check()
      changes = this.#changeset(meter)
      worked = await work(new Change(this.#declaration, this.#effects, changes, permission))
      own = changes.entries.length
      if (this.#mode === 'together') await this.#effects.follow(changes)
      else await rememberLeft(this.#declaration.model, changes)
      writes = changes.writes()
      operationContext?.beginWrite()
      return writes
    }, meter))
    return { worked: worked!, changes, own, etags: new Map(writes.map(({ key }, index) => [key, etags[index]!])) }
  }

  /** Whoever finds that others were faster does his work anew, and those of one process do so in turns. */
  async #apart<T>(work: Work<T>, meter: Meter | undefined, permission: Permission | undefined): Promise<Done<T>> {
    return (await this.#attempt(work, meter, permission)) ?? withLock(this, () => this.#attemptAgain(work, meter, permission))
  }

  async #attemptAgain<T>(work: Work<T>, meter: Meter | undefined, permission: Permission | undefined): Promise<Done<T>> {
    for (let tries = 1; tries < maxTries; tries++) {
      const done = await this.#attempt(work, meter, permission)
      if (done) return done
      // Those of other processes get their turn too, after a while that is never the same.
      await pause(Math.random() * Math.min(100, 2 ** tries))
    }
    throw clientError('CONFLICT', `Others kept changing the same documents, ${maxTries} times in a row. Try again.`)
  }

  /** Undefined when others were faster. */
  async #attempt<T>(work: Work<T>, meter: Meter | undefined, permission: Permission | undefined): Promise<Done<T> | undefined> {
    const startMs = performance.now()
    const changes = this.#changeset(meter)
    const worked = await work(new Change(this.#declaration, this.#effects, changes, permission))
    const own = changes.entries.length
    await this.#effects.followNearby(changes)
    await rememberLeft(this.#declaration.model, changes)
    const etags = new Map<Entry['key'], string>()
    const writes = changes.writes()
    // What was read so long ago may have reached everyone but this. Work on many documents takes its time, and copies nothing anew.
    if (writes.length <= 100 && performance.now() - startMs > this.#store.supports.lateMs / 2) return undefined
    const operationContext = currentOperation()
    operationContext?.beginWrite()
    try {
      for (const step of stepsOf(writes, this.#store.supports)) {
        const written = await this.#store.write(step, meter)
        for (const [index, { key }] of step.entries()) etags.set(key, written[index]!)
      }
      operationContext?.endWrite(true)
      return { worked, changes, own, etags }
    } catch (error) {
      // With a step that is made the rest is owed, however long it takes.
      if (etags.size === 0) operationContext?.endWrite(false)
      if (error instanceof ConflictError) return undefined
      throw error
    }
  }
}

/** Whoever has begun to write is told how it went, and not that time is over. */
async function untilWritten<T>(operationContext: OperationContext | undefined, write: Promise<T>): Promise<T> {
  if (!operationContext) return write
  try {
    const written = await write
    operationContext.endWrite(true)
    return written
  } catch (error) {
    operationContext.endWrite(false)
    throw error
  }
}

interface Done<T> {
  readonly worked: T
  readonly changes: Changeset
  /** How many of its entries are the work's own: those come first. */
  readonly own: number
  readonly etags: ReadonlyMap<Entry['key'], string>
}

/** GraphQL.js takes an error for what it is, wherever it finds one. */
function answerOf(entry: Entry, etags: ReadonlyMap<Entry['key'], string>, permission: Permission | undefined): StoredDocument | GraphQLError {
  return permission && !permission.sees(entry) ? permission.unseen(entry.type!) : documentOf(entry, etags)
}

function documentOf(entry: Entry, etags: ReadonlyMap<Entry['key'], string>): StoredDocument {
  const body = entry.after ?? entry.before!
  return {
    key: entry.key,
    etag: etags.get(entry.key) || entry.etag || '',
    body,
    // Hardly anybody asks for the size of what a mutation answers.
    get bytes() {
      return Buffer.byteLength(JSON.stringify(body))
    },
  }
}
