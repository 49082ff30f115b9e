// The errors that stores throw, the same for every database.

import { ClientVisibleError } from '../errors.ts'
import type { Key } from '../model/keys/key.ts'

/**
 * The stored document does not meet the write's condition. Nothing was written.
 *
 * @example
 * ```ts
 * throw new ConflictError('beasts', { partition: ['b1'], id: 'b1' }, 'changed')
 * ```
 */
export class ConflictError extends ClientVisibleError {
  override readonly name = 'ConflictError'
  override readonly code = 'CONFLICT'
  readonly container: string
  readonly key: Key
  readonly found: 'present' | 'changed' | 'absent'

  constructor(container: string, key: Key, found: 'present' | 'changed' | 'absent') {
    super(`Conflict: ${container}/${key.id} ${found === 'present' ? 'exists already' : found === 'absent' ? 'does not exist' : 'has changed'}.`)
    this.container = container
    this.key = key
    this.found = found
  }

  override get clientMessage(): string {
    return 'Another request changed the same documents at the same time. Try again.'
  }
}

/**
 * The store cannot be used as it is configured. The message is one line that says what to do.
 *
 * @example
 * ```ts
 * createGateway(options).catch((error) => { if (error instanceof SetupError) console.error(error.message) })
 * ```
 */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}

/**
 * The database did not answer: it is down, full, locked or throttled. Nothing was written, as far as is known.
 *
 * @example
 * ```ts
 * createGateway(options).catch((error) => { if (error instanceof StoreUnavailableError) setTimeout(tryAgain, 1000) })
 * ```
 */
export class StoreUnavailableError extends ClientVisibleError {
  override readonly name: string = 'StoreUnavailableError'
  override readonly code = 'STORE_UNAVAILABLE'

  override get clientMessage(): string {
    return 'The store is unavailable. Try again.'
  }
}

/**
 * The documents are being handed over to another schema, or have been. Nothing was written.
 *
 * @example
 * ```ts
 * throw new StoreMigratingError('Nothing was written: the documents are being migrated to another schema.')
 * ```
 */
export class StoreMigratingError extends ClientVisibleError {
  override readonly name = 'StoreMigratingError'
  override readonly code = 'STORE_MIGRATING'
}

/**
 * The database failed during a write, and it is unknown whether the write succeeded.
 *
 * @example
 * ```ts
 * throw new InDoubtError('The connection ended before the answer arrived.')
 * ```
 */
export class InDoubtError extends StoreUnavailableError {
  override readonly name = 'InDoubtError'

  override get clientMessage(): string {
    return 'The store failed, and it is not known whether this was written. Read the documents before you try again.'
  }
}

/**
 * A part of a mutation over several partitions was refused, and what had been written of it was taken back.
 *
 * @example
 * ```ts
 * throw new WriteUndoneError(new Error('400'))
 * ```
 */
export class WriteUndoneError extends StoreUnavailableError {
  override readonly name = 'WriteUndoneError'

  constructor(cause: unknown) {
    super('Nothing was written: the store refused a part of a mutation over several partitions, and the rest was taken back.', { cause })
  }

  override get clientMessage(): string {
    return 'Nothing was written: the store refused a part of it.'
  }
}

/**
 * More long queries wait for the store than it can answer in time. This one was not run, or not to its end.
 *
 * @example
 * ```ts
 * throw new StoreOverloadedError()
 * ```
 */
export class StoreOverloadedError extends ClientVisibleError {
  override readonly name = 'StoreOverloadedError'
  override readonly code = 'OVERLOADED'

  constructor() {
    super('Overloaded: too many long queries are running, and this one was not answered. Try again, or filter by fewer documents.')
  }
}

/**
 * The document or its partition key is larger than the store allows. Nothing was written.
 *
 * @example
 * ```ts
 * throw new TooLargeError('beasts', { partition: ['b1'], id: 'b1' }, 3_000_000, 2_000_000)
 * ```
 */
export class TooLargeError extends ClientVisibleError {
  override readonly name = 'TooLargeError'
  override readonly code = 'BAD_USER_INPUT'

  constructor(container: string, key: Key, bytes: number, limit: number, what: 'document' | 'partition' = 'document') {
    super(what === 'document'
      ? `Document too large: ${container}/${key.id} would have ${bytes} bytes, and the maximum is ${limit}. Move lists that grow into documents of their own.`
      : `Partition key too large: that of ${container}/${key.id} would have ${bytes} bytes, and the maximum is ${limit}. Use shorter values.`)
  }
}
