// Cancels a read. The driver's own way leaves a rejection that nothing handles if the server cannot be told, and never again uses a
// connection that it was opening for the read.

/** A query as it is in the driver. */
export interface DriverQuery {
  /** Of the connection that it was sent on. */
  readonly state: unknown
  cancelled: unknown
  canceller: ((query: DriverQuery) => Promise<unknown>) | null
  reject(error: unknown): void
}

export function cancelQuery(query: DriverQuery): void {
  const { state, canceller } = query
  query.canceller = null
  canceller?.(query).catch((error: unknown) => query.reject(error))
  // It is rejected by now. If a connection is being opened for it, it is sent all the same, and the connection serves others.
  if (!state) query.cancelled = null
}
