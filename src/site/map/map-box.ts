// The dimensions of a box in the storage map: a head with type, container and partition key, and a row for each field.

import type { MapBox } from './storage-map.ts'

export interface BoxPosition {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface PlacedBox extends BoxPosition {
  readonly box: MapBox
}

export const boxWidth = 236
export const rowHeight = 24
const [headHeight, bottom] = [66, 10]

export function heightOf({ rows }: MapBox): number {
  return headHeight + rows.length * rowHeight + bottom
}

/** The middle of a row, from the top of its box. */
export function rowMiddle(index: number): number {
  return headHeight + index * rowHeight + rowHeight / 2
}
