// Tables that read well in a terminal and on a page, and how numbers are written in them.

import type { Spread } from '../statistics.ts'

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

export function times({ median, min, max }: Spread): string {
  return `${short(median)} (${short(min)}–${short(max)})`
}
