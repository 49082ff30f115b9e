// Where the boxes and lines of a storage map are drawn, in pixels. The same map is always laid out the
// same: in columns by how far a type is from the first of those it is connected with, or, for narrow
// screens, all in one column with the lines beside it.

import type { MapBox, MapRow, StorageMap } from '../model/storage-map.ts'

export interface PlacedMap {
  readonly width: number
  readonly height: number
  readonly boxes: readonly PlacedBox[]
  readonly lines: readonly PlacedLine[]
}

export interface PlacedBox extends Place {
  readonly box: MapBox
}

export interface PlacedLine {
  readonly from: MapBox
  readonly row: MapRow
  /** The commands of an SVG path, and of its arrowhead. */
  readonly path: string
  readonly head: string
}

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Everything inside a box, shared with whoever draws it. */
export const measures = { boxWidth: 236, headHeight: 66, rowHeight: 24, boxBottom: 10 }

const gap = { column: 84, row: 30, band: 44 }
const mostColumns = 4

export function layOut(map: StorageMap, narrow: boolean): PlacedMap {
  const places = narrow ? inOneColumn(map.boxes) : inColumns(map)
  const boxes = map.boxes.map((box): PlacedBox => ({ box, ...places.get(box.type)! }))
  const lines = placeLines(boxes, places)
  const right = Math.max(0, ...boxes.map(({ x, width }) => x + width))
  const gutter = lines.some(({ bulge }) => bulge > 0) ? Math.max(...lines.map(({ x, bulge }) => x + bulge)) + 6 : 0
  const height = Math.max(0, ...boxes.map(({ y, height: tall }) => y + tall))
  return { width: Math.max(right, gutter) + 2, height: height + 2, boxes, lines }
}

/** The middle of a row, from the top of its box. */
export function rowMiddle(index: number): number {
  return measures.headHeight + index * measures.rowHeight + measures.rowHeight / 2
}

function heightOf({ rows }: MapBox): number {
  return measures.headHeight + rows.length * measures.rowHeight + measures.boxBottom
}

function inOneColumn(boxes: readonly MapBox[]): Map<string, Place> {
  let y = 1
  return new Map(boxes.map((box) => {
    const place = { x: 1, y, width: measures.boxWidth, height: heightOf(box) }
    y += place.height + gap.row
    return [box.type, place]
  }))
}

/** Groups of connected types stand below each other, side by side where they fit. */
function inColumns(map: StorageMap): Map<string, Place> {
  const places = new Map<string, Place>()
  let [column, top, bandHeight] = [0, 1, 0]
  for (const columns of connected(map)) {
    if (column > 0 && column + columns.length > mostColumns) [column, top, bandHeight] = [0, top + bandHeight + gap.band, 0]
    const heights = columns.map((boxes) => boxes.reduce((sum, box) => sum + heightOf(box) + gap.row, -gap.row))
    const tallest = Math.max(...heights)
    for (const [index, boxes] of columns.entries()) {
      let y = top + (tallest - heights[index]!) / 2
      for (const box of boxes) {
        places.set(box.type, { x: 1 + (column + index) * (measures.boxWidth + gap.column), y, width: measures.boxWidth, height: heightOf(box) })
        y += heightOf(box) + gap.row
      }
    }
    column += columns.length
    bandHeight = Math.max(bandHeight, tallest)
  }
  return places
}

/** The types that lines connect, group by group, each as columns by the distance from its outermost type. */
function connected({ boxes }: StorageMap): MapBox[][][] {
  const near = new Map(boxes.map(({ type }) => [type, new Set<string>()]))
  for (const { type, rows } of boxes) {
    for (const { target } of rows.filter((row) => row.leads && row.target !== type)) {
      near.get(type)!.add(target)
      near.get(target)!.add(type)
    }
  }
  const seen = new Set<string>()
  return boxes.flatMap(({ type }) => {
    if (seen.has(type)) return []
    const group = [...reach(type, near).keys()]
    for (const name of group) seen.add(name)
    const members = boxes.filter((box) => group.includes(box.type))
    const start = members.toSorted((one, other) => near.get(one.type)!.size - near.get(other.type)!.size)[0]!
    const distances = reach(start.type, near)
    return [[...Map.groupBy(members, (box) => distances.get(box.type)!)].toSorted(([one], [other]) => one - other).map(([, column]) => column)]
  })
}

function reach(start: string, near: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const distances = new Map([[start, 0]])
  for (const [name, distance] of distances) {
    for (const next of near.get(name)!) if (!distances.has(next)) distances.set(next, distance + 1)
  }
  return distances
}

/** Lines leave a box at their row and enter the other one at its head, each a little below the last. */
function placeLines(boxes: readonly PlacedBox[], places: ReadonlyMap<string, Place>): (PlacedLine & { x: number; bulge: number })[] {
  const entered = new Map<string, number>()
  let beside = 0
  return boxes.flatMap(({ box, ...from }) => box.rows.flatMap((row, index) => {
    if (!row.leads) return []
    const to = places.get(row.target)!
    const y1 = from.y + rowMiddle(index)
    const leftward = to.x < from.x
    const same = to.x === from.x
    const side = `${row.target} ${leftward || same ? 'right' : 'left'}`
    const turn = entered.get(side) ?? 0
    entered.set(side, turn + 1)
    const y2 = to.y + 14 + Math.min(turn, 3) * 9
    const x1 = leftward ? from.x : from.x + from.width
    const x2 = leftward || same ? to.x + to.width : to.x
    // Beside a column, every line bulges out a little further than the last, so that they can be told apart.
    const bulge = same ? 22 + (beside++ % 6) * 11 : 0
    const bend = same ? 0 : Math.abs(x2 - x1) / 2
    const path = same
      ? `M${x1} ${y1}H${x1 + bulge - 8}q8 0 8 ${y2 < y1 ? -8 : 8}V${y2 + (y2 < y1 ? 8 : -8)}q0 ${y2 < y1 ? -8 : 8} -8 ${y2 < y1 ? -8 : 8}H${x2 + 6}`
      : `M${x1} ${y1}C${leftward ? x1 - bend : x1 + bend} ${y1} ${leftward ? x2 + bend : x2 - bend} ${y2} ${leftward ? x2 + 6 : x2 - 6} ${y2}`
    const head = leftward || same ? `M${x2} ${y2}l8 -4v8z` : `M${x2} ${y2}l-8 -4v8z`
    return [{ from: box, row, path, head, x: x1, bulge }]
  }))
}
