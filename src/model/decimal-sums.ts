// Sums of decimal numbers. Floating point adds 0.1 and 0.2 to 0.30000000000000004, or to another last digit in another order, so
// sums are told with the digits that every order agrees on.

/** A sum or an average without the digits that depend on the order of the addition. One that no number can hold is the largest that one can. */
export function significant(value: number): number {
  if (Number.isSafeInteger(value)) return value
  return Number.isNaN(value) ? 0 : Math.max(-Number.MAX_VALUE, Math.min(Number(value.toPrecision(15)), Number.MAX_VALUE))
}

/** The sum after a value is added and another taken away; undefined where it would not be exact. */
export function shifted(sum: number, added: number, removed: number): number | undefined {
  const [before, plus, minus] = [inMillionths(sum), inMillionths(added), inMillionths(removed)]
  if (before === undefined || plus === undefined || minus === undefined) return undefined
  const next = before + plus - minus
  return Math.abs(next) < maxExact ? next / million : undefined
}

const million = 1_000_000

/** As many digits as `significant` leaves. */
const maxExact = 1e15

/** A number with six decimals at most as a whole number of millionths. */
function inMillionths(value: number): number | undefined {
  const millionths = Math.round(value * million)
  return Math.abs(millionths) < maxExact && millionths / million === value ? millionths : undefined
}
