// Whole numbers of any size as texts whose order is that of the numbers: a sign, how many digits there are, and the digits. Numbers of
// JSON are exact only up to 2^53, and no store orders texts by their value.
//
//   42  is p0242            -42 is n9757: of a negative number everything is counted down from 9, so that more comes first
//    7  is p017

const maxLength = 98

/** Throws an error whose message completes "BigInt cannot be …: …". */
export function readBigInt(given: unknown): string {
  const number = typeof given === 'bigint' ? given : wholeNumber(given)
  const digits = String(number < 0n ? -number : number)
  if (digits.length > maxLength) throw new Error(`it has more than ${maxLength} digits`)
  const text = `${String(digits.length).padStart(2, '0')}${digits}`
  return number < 0n ? `n${countedDown(text)}` : `p${text}`
}

export function showBigInt(stored: unknown): string {
  if (!isBigIntText(stored)) throw new Error('it is not stored as one')
  return stored.startsWith('n') ? `-${countedDown(stored.slice(1)).slice(2)}` : stored.slice(3)
}

export function isBigIntText(stored: unknown): stored is string {
  if (typeof stored !== 'string' || !/^[pn]\d{3,100}$/.test(stored)) return false
  const text = stored.startsWith('n') ? countedDown(stored.slice(1)) : stored.slice(1)
  const digits = text.slice(2)
  return Number(text.slice(0, 2)) === digits.length && (!digits.startsWith('0') || stored === 'p010')
}

function wholeNumber(given: unknown): bigint {
  if (typeof given === 'number' && !Number.isSafeInteger(given)) throw new Error(Number.isInteger(given) ? 'as a number it is not exact. Give it as text' : 'it is no whole number')
  if (typeof given !== 'number' && (typeof given !== 'string' || !/^[+-]?\d+$/.test(given))) throw new Error('it is no whole number')
  return BigInt(typeof given === 'string' ? given.replace(/^\+/, '') : given)
}

function countedDown(digits: string): string {
  return digits.replaceAll(/\d/g, (digit) => String(9 - Number(digit)))
}
