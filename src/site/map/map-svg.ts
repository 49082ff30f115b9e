// A storage map as SVG. The style sheet chooses colours and strokes by class, which is the kind of a relation.

import type { StorageMap } from './storage-map.ts'
import { html, type Html } from '../html.ts'
import { rowHeight, rowMiddle, type PlacedBox } from './map-box.ts'
import { layOut } from './map-layout.ts'
import type { PlacedLine } from './map-lines.ts'

/** Drawn for wide and for narrow screens; the style sheet shows one of them. */
export function mapSvg(map: StorageMap): Html {
  return html`${drawn(map, false)}${drawn(map, true)}`
}

/** The meaning of each kind beside its stroke, or beside a dot if it leads to no other box. */
export function legend({ boxes, kinds }: StorageMap): Html {
  const leading = new Set<string>(boxes.flatMap(({ rows }) => rows.filter(({ leads }) => leads).map(({ kind }) => kind)))
  return html`<ul class="legend">${kinds.map(({ name, meaning }) => html`
    <li><svg class="stroke" width="36" height="12" aria-hidden="true">${leading.has(name)
      ? html`<path class="line ${name}" d="M2 6H34"/>`
      : html`<circle class="dot ${name}" cx="18" cy="6" r="4"/>`}</svg><span><b>${name}</b> ${meaning}</span></li>`)}
  </ul>`
}

/** The map as text, for screen readers and details. */
export function mapInWords({ boxes }: StorageMap): Html {
  return html`<dl class="in-words">${boxes.map(({ type, container, partitionKey, rows }) => html`
    <dt>${type}</dt>
    <dd>in container <code>${container}</code>, partitioned by <code>${partitionKey}</code>${rows.length === 0 ? '' : html`
      <ul>${rows.map((row) => html`<li><code>${row.label}</code>: ${row.target}, ${row.kind}${row.details ? ` (${row.details})` : ''}</li>`)}</ul>`}</dd>`)}
  </dl>`
}

function drawn(map: StorageMap, narrow: boolean): Html {
  const { width, height, boxes, lines } = layOut(map, narrow)
  const label = `${boxes.length} document types and ${lines.length} relations between them. The same follows as text.`
  return html`<svg class="map ${narrow ? 'narrow' : 'wide'}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">
    ${lines.map(drawnLine)}${boxes.map(drawnBox)}
  </svg>`
}

function drawnLine({ from, row, path, head }: PlacedLine): Html {
  return html`<g class="relation"><title>${from.type}.${row.label}: ${row.kind}${row.details ? `, ${row.details}` : ''}</title>
    <path class="line ${row.kind}" d="${path}"/><path class="head ${row.kind}" d="${head}"/></g>`
}

function drawnBox({ box, x, y, width, height }: PlacedBox): Html {
  return html`<g class="box" transform="translate(${x} ${y})" data-type="${box.type}">
    <rect class="paper" width="${width}" height="${height}" rx="10"/>
    <text class="type" x="14" y="23">${box.type}</text>
    <text class="where" x="14" y="40">${cut(`in ${box.container}`, 33)}</text>
    <text class="where" x="14" y="56">${cut(`by ${box.partitionKey}`, 33)}<title>partition key ${box.partitionKey}</title></text>
    ${box.rows.map((row, index) => html`
      <path class="rule" d="M0 ${rowMiddle(index) - rowHeight / 2}H${width}"/>
      <circle class="dot ${row.kind}" cx="17" cy="${rowMiddle(index)}" r="3.5"/>
      <text class="field" x="28" y="${rowMiddle(index) + 4}">${cut(row.label, 20)}</text>
      <text class="kind" x="${width - 12}" y="${rowMiddle(index) + 4}" text-anchor="end">${row.kind}<title>${row.target}${row.details ? `, ${row.details}` : ''}</title></text>`)}
  </g>`
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text
}
