// The layout of a storage map in pixels, always the same for the same map: in columns by distance from the outermost type of
// each connected group, or for narrow screens in one column with the lines beside it.

import type { MapBox, StorageMap } from './storage-map.ts'
import { boxWidth, heightOf, type BoxPosition, type PlacedBox } from './map-box.ts'
import { drawLines, type PlacedLine } from './map-lines.ts'

export interface PlacedMap {
  readonly width: number
  readonly height: number
  readonly boxes: readonly PlacedBox[]
  readonly lines: readonly PlacedLine[]
}

const gap = { column: 84, row: 30, band: 44 }
const maxColumns = 4

export function layOut(map: StorageMap, narrow: boolean): PlacedMap {
  const places = narrow ? inOneColumn(map.boxes) : inColumns(map)
  const boxes = map.boxes.map((box): PlacedBox => ({ box, ...places.get(box.type)! }))
  const lines = drawLines(boxes, places)
  const right = Math.max(0, ...boxes.map(({ x, width }) => x + width), ...lines.map((line) => line.right + 6))
  const bottom = Math.max(0, ...boxes.map(({ y, height }) => y + height))
  return { width: right + 2, height: bottom + 2, boxes, lines }
}

function inOneColumn(boxes: readonly MapBox[]): Map<string, BoxPosition> {
  let y = 1
  return new Map(boxes.map((box) => {
    const place = { x: 1, y, width: boxWidth, height: heightOf(box) }
    y += place.height + gap.row
    return [box.type, place]
  }))
}

/** Connected groups below each other, or side by side if they fit. */
function inColumns(map: StorageMap): Map<string, BoxPosition> {
  const places = new Map<string, BoxPosition>()
  let [column, top, bandHeight] = [0, 1, 0]
  for (const columns of connected(map)) {
    if (column > 0 && column + columns.length > maxColumns) [column, top, bandHeight] = [0, top + bandHeight + gap.band, 0]
    const heights = columns.map((boxes) => boxes.reduce((sum, box) => sum + heightOf(box) + gap.row, -gap.row))
    const tallest = Math.max(...heights)
    for (const [index, boxes] of columns.entries()) {
      let y = top + (tallest - heights[index]!) / 2
      for (const box of boxes) {
        places.set(box.type, { x: 1 + (column + index) * (boxWidth + gap.column), y, width: boxWidth, height: heightOf(box) })
        y += heightOf(box) + gap.row
      }
    }
    column += columns.length
    bandHeight = Math.max(bandHeight, tallest)
  }
  return places
}

/** The connected groups, each as columns by the distance from its outermost type. */
function connected({ boxes }: StorageMap): MapBox[][][] {
  const neighbours = new Map(boxes.map(({ type }) => [type, new Set<string>()]))
  for (const { type, rows } of boxes) {
    for (const { target } of rows.filter((row) => row.leads && row.target !== type)) {
      neighbours.get(type)!.add(target)
      neighbours.get(target)!.add(type)
    }
  }
  const seen = new Set<string>()
  return boxes.flatMap(({ type }) => {
    if (seen.has(type)) return []
    const group = [...reach(type, neighbours).keys()]
    for (const name of group) seen.add(name)
    const members = boxes.filter((box) => group.includes(box.type))
    const start = members.toSorted((one, other) => neighbours.get(one.type)!.size - neighbours.get(other.type)!.size)[0]!
    const distances = reach(start.type, neighbours)
    return [[...Map.groupBy(members, (box) => distances.get(box.type)!)].toSorted(([one], [other]) => one - other).map(([, column]) => column)]
  })
}

function reach(start: string, neighbours: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const distances = new Map([[start, 0]])
  for (const [name, distance] of distances) {
    for (const next of neighbours.get(name)!) if (!distances.has(next)) distances.set(next, distance + 1)
  }
  return distances
}
