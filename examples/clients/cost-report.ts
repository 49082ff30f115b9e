// What an answer says about itself in `extensions.quire`: always in development, in production when the
// request has the header `quire-trace: 1`.

export interface CostReport {
  readonly made: Cost
  readonly naive: Cost
  /** Of an event: everything up to it has been told. */
  readonly cursor?: string
}

export interface Cost {
  readonly roundTrips: number
  readonly waves: number
  readonly requestCharge: number
}

export function accountOf(answer: { extensions?: unknown }): CostReport | undefined {
  return (answer.extensions as { quire?: CostReport } | null | undefined)?.quire
}
