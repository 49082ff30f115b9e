// Horizontal bars as SVG. Each bar's number is its class, and the page gives the class a colour: a variant has the same
// colour in every chart.

import { html, type Html } from '../../site/html.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  /** Shown next to the bar. */
  readonly text: string
}

const width = 640
const rowHeight = 26
const labelWidth = 110
const textWidth = 150

export function barChart(title: string, bars: readonly Bar[]): Html {
  const max = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE)
  const height = bars.length * rowHeight
  const description = `${title}: ${bars.map(({ label, text }) => `${label} ${text}`).join(', ')}.`
  return html`<figure><figcaption>${title}</figcaption>
  <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${description}">${bars.map(({ label, value, text }, index) => {
    const length = Math.max(2, Math.round((value / max) * (width - labelWidth - textWidth)))
    const middle = index * rowHeight + rowHeight / 2
    return html`
    <text class="label" x="${labelWidth - 8}" y="${middle + 4}" text-anchor="end">${label}</text>
    <rect class="bar bar${index % 6}" x="${labelWidth}" y="${middle - 9}" width="${length}" height="18" rx="3"/>
    <text class="value" x="${labelWidth + length + 6}" y="${middle + 4}">${text}</text>`
  })}
  </svg></figure>`
}
