// Round trips and RU of an operation, of a workload, or of an hour of it, and how to add them.

export interface Rate {
  readonly roundTrips: number
  readonly requestCharge: number
}

export const nothing: Rate = { roundTrips: 0, requestCharge: 0 }

export function plus(one: Rate, other: Rate): Rate {
  return { roundTrips: one.roundTrips + other.roundTrips, requestCharge: one.requestCharge + other.requestCharge }
}

export function less(one: Rate, other: Rate): Rate {
  return plus(one, times(other, -1))
}

export function times({ roundTrips, requestCharge }: Rate, factor: number): Rate {
  return { roundTrips: roundTrips * factor, requestCharge: requestCharge * factor }
}

export function sumOf(rates: readonly Rate[]): Rate {
  return rates.reduce(plus, nothing)
}
