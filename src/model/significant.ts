// Sums of decimal numbers. Floating point adds 0.1 and 0.2 to 0.30000000000000004, or to another last digit in another order, so
// sums are told with the digits that every order agrees on.

/** A sum or an average without the digits that depend on the order of the addition. */
export function significant(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(15))
}
