// Who asks. Nothing but a verified token says so; whatever has to know finds it in the arrival of the request.

export interface Viewer {
  /** What documents name their owner by. */
  readonly id: string
  readonly roles: ReadonlySet<string>
  /** Whose documents there are at all for this viewer, where several share a store. */
  readonly tenant: string | undefined
  /** When what says so ends, in milliseconds since 1970: whoever goes on listening is told no more from then on. */
  readonly untilMs?: number | undefined
}
