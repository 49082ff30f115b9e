// PostgreSQL's errors, by their SQLSTATE or the name of what the connection met, and the errors that Quire makes of them.

import { SetupError, StoreUnavailableError } from '../../store-errors.ts'

/** The connection has ended, or there was none: what was sent may have been carried out. A server that has become a standby only reads. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  return lostCodes.has(code) || code.startsWith('08')
}

/** Another transaction was in the way: the same may succeed the next time. */
export function isInterrupted(error: unknown): boolean {
  return interruptedCodes.has(codeOf(error))
}

/** A StoreUnavailableError if the server did not answer, or cannot; every other error unchanged. */
export function postgresError(error: unknown): unknown {
  const code = codeOf(error)
  if (code === '' || error instanceof StoreUnavailableError) return error
  const message = (error as Error).message
  const isUnavailable = isConnectionLost(error) || isInterrupted(error) || unavailableClasses.has(code.slice(0, 2)) || unavailableCodes.has(code)
  if (isUnavailable) return new StoreUnavailableError(`PostgreSQL did not answer (${code}): ${message}`, { cause: error })
  return error
}

/** The same while a store is opened, when a person can do something about it. */
export function setupError(error: unknown): unknown {
  const code = codeOf(error)
  const remedy = remedies.get(code) ?? remedies.get(code.slice(0, 2))
  return remedy === undefined ? postgresError(error) : new SetupError(`Cannot use the PostgreSQL store: ${(error as Error).message}. ${remedy}`, { cause: error })
}

const lostCodes = new Set(['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND', 'ENOENT', '57P01', '57P02', '57P03', '57P05', '25P03', '53300', '25006'])

/** Serialization failure, deadlock, and what another program has locked. */
const interruptedCodes = new Set(['40001', '40P01', '55P03'])

/** No room on the disk or in memory; errors of the machine. */
const unavailableClasses = new Set(['53', '58', 'XX'])

/** Cancelled at its deadline, or passwords and rights that were taken away. */
const unavailableCodes = new Set(['57014', '28000', '28P01', '3D000', '42501', '42P01', '3F000'])

const remedies = new Map([
  ['28', 'Check the user and the password in QUIRE_STORE.'],
  ['3D000', 'Create the database first.'],
  ['42501', 'Give the role the rights that docs/postgres.md names, or let one that has them start Quire once.'],
  ['ENOTFOUND', 'Check the host in QUIRE_STORE.'],
])

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}
