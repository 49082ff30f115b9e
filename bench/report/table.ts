// Tables that read well in a terminal and on a page, and how numbers are written in them.

import { median, spread, type Spread } from '../statistics.ts'

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column]!)].map((cell) => cell.length)))
  // Names stand left, numbers right.
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

export function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}

/** Two digits that count, whatever the size. */
export function short(number: number): string {
  return number >= 100 ? whole(number) : number >= 10 ? number.toFixed(1) : number.toFixed(2)
}

export function times(of: Spread): string {
  return `${short(of.median)} (${short(of.min)}–${short(of.max)})`
}

/** The median of what is known; some things not every system or server tells. */
export function middle(numbers: readonly (number | undefined)[]): string {
  const known = numbers.filter((number) => number !== undefined)
  return known.length === 0 ? '' : short(median(known))
}

/** How many times the other, round by round, where both are known. */
export function timesKnown(numbers: readonly (number | undefined)[], others: readonly (number | undefined)[]): string {
  const known = numbers.flatMap((number, round) => (number === undefined || others[round] === undefined ? [] : [number / others[round]]))
  return known.length === 0 ? '' : times(spread(known))
}

/** The same for what is better when there is less of it. */
export function timesLess(numbers: readonly (number | undefined)[], others: readonly (number | undefined)[]): string {
  return timesKnown(others, numbers)
}
