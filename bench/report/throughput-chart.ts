// The bar chart of a comparison: one panel per operation and store, one bar per server, with a line from the slowest
// round to the fastest. Plain SVG, which every browser and GitHub show.

import { spread } from '../statistics.ts'
import type { Comparison, Row } from './comparison.ts'
import { whole } from './table.ts'
import { fastestFirst, titleOf } from './throughput-tables.ts'

const width = 860
const labelWidth = 320
const valueWidth = 80
const barHeight = 18
const rowHeight = 24
const headHeight = 40
const margin = 16
const colours = { quire: '#0b7a75', peer: '#8a94a6', ceiling: '#d3d8e0' } as const

export function throughputChart(comparisons: readonly Comparison[]): string {
  let y = margin
  const panels = comparisons.map((comparison) => {
    const drawn = panel(comparison, y)
    y += headHeight + comparison.rows.length * rowHeight + margin
    return drawn
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="system-ui, sans-serif" font-size="13" role="img">
<title>Requests per second, more is better</title>
<rect width="${width}" height="${y}" fill="#ffffff"/>
${panels.join('\n')}
</svg>
`
}

function panel(comparison: Comparison, top: number): string {
  const rows = fastestFirst(comparison.rows)
  const fastest = Math.max(...rows.map(({ perSecond }) => Math.max(...perSecond)))
  const length = (perSecond: number) => round((perSecond / fastest) * (width - 2 * margin - labelWidth - valueWidth))
  return `<text x="${margin}" y="${top + 18}" font-weight="600" fill="#1b2430">${escaped(titleOf(comparison))}</text>
<text x="${width - margin}" y="${top + 18}" text-anchor="end" fill="#5b6675">requests per second</text>
${rows.map((row, at) => bar(row, top + headHeight + at * rowHeight - 8, length)).join('\n')}`
}

function bar({ title, kind, perSecond }: Row, y: number, length: (perSecond: number) => number): string {
  const { median, min, max } = spread(perSecond)
  const left = margin + labelWidth
  const middle = y + barHeight / 2
  const text = `y="${middle + 4}" fill="#1b2430"${kind === 'quire' ? ' font-weight="600"' : ''}`
  return `<text x="${left - 8}" text-anchor="end" ${text}>${escaped(title)}</text>
<rect x="${left}" y="${y}" width="${length(median)}" height="${barHeight}" fill="${colours[kind]}"/>
<path d="M${left + length(min)} ${middle}H${left + length(max)}" stroke="#1b2430"/>
<text x="${left + length(max) + 6}" ${text}>${whole(median)}</text>`
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
