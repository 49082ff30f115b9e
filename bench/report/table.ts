// Markdown tables with aligned columns, readable in a terminal too, and the formats of the numbers in them.

import { median, spread, type Spread } from '../statistics.ts'

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column]!)].map((cell) => cell.length)))
  // Names are aligned left, numbers right.
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

export function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}

/** At least three significant digits; below 1, two decimals. */
export function short(number: number): string {
  return number >= 100 ? whole(number) : number >= 10 ? number.toFixed(1) : number.toFixed(2)
}

/** A ratio with its spread: median (min–max). */
export function times(ratio: Spread): string {
  return `${short(ratio.median)} (${short(ratio.min)}–${short(ratio.max)})`
}

/** The median of the known numbers. CPU time is unknown on some systems, and latency for some rows. */
export function middle(numbers: readonly (number | undefined)[]): string {
  const known = numbers.filter((number) => number !== undefined)
  return known.length === 0 ? '' : short(median(known))
}

/** The ratio of two rows, round by round, in rounds where both numbers are known. */
export function timesKnown(numbers: readonly (number | undefined)[], others: readonly (number | undefined)[]): string {
  const known = numbers.flatMap((number, round) => (number === undefined || others[round] === undefined ? [] : [number / others[round]]))
  return known.length === 0 ? '' : times(spread(known))
}

/** The inverse ratio, for numbers where less is better, such as CPU time. */
export function timesLess(numbers: readonly (number | undefined)[], others: readonly (number | undefined)[]): string {
  return timesKnown(others, numbers)
}
