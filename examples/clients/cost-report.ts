// The cost report in `extensions.quire` of an answer: always there in development, in production if the request has the
// header `quire-trace: 1`.

export interface CostReport {
  readonly made: Cost
  readonly naive: Cost
  /** On an event of a subscription: its position, to continue from. */
  readonly cursor?: string
}

export interface Cost {
  readonly roundTrips: number
  readonly waves: number
  readonly requestCharge: number
}

export function costReportOf(answer: { extensions?: unknown }): CostReport | undefined {
  return (answer.extensions as { quire?: CostReport } | null | undefined)?.quire
}
