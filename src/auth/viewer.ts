// The user whose token a request carries. Only `Identity` makes viewers; they are found in the state of the request.

/**
 * The user who sent a request.
 *
 * @example
 * ```ts
 * const viewer: Viewer = { id: 'u1', roles: new Set(['editor']), tenant: undefined }
 * ```
 */
export interface Viewer {
  /** The id by which documents name their owner. */
  readonly id: string
  readonly roles: ReadonlySet<string>
  /** The tenant whose documents the viewer sees, if several tenants share the store. */
  readonly tenant: string | undefined
  /** When the token expires, in milliseconds since 1970: subscriptions end then. */
  readonly untilMs?: number | undefined
}
