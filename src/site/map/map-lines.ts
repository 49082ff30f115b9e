// The lines between the boxes of a storage map, from the row of a field to the head of its target's box.

import type { MapBox, MapRow } from './storage-map.ts'
import { rowMiddle, type BoxPosition, type PlacedBox } from './map-box.ts'

export interface PlacedLine {
  readonly from: MapBox
  readonly row: MapRow
  /** The commands of an SVG path, and of its arrowhead. */
  readonly path: string
  readonly head: string
  /** How far right it goes. */
  readonly right: number
}

export function drawLines(boxes: readonly PlacedBox[], places: ReadonlyMap<string, BoxPosition>): PlacedLine[] {
  const entered = new Map<string, number>()
  let beside = 0
  return boxes.flatMap(({ box, ...from }) => box.rows.flatMap((row, index) => {
    if (!row.leads) return []
    const to = places.get(row.target)!
    const side = to.x > from.x ? 'left' : 'right'
    // Each line enters a little below the previous one, while there is room.
    const turn = entered.get(`${row.target} ${side}`) ?? 0
    entered.set(`${row.target} ${side}`, turn + 1)
    const y1 = from.y + rowMiddle(index)
    const y2 = to.y + 14 + Math.min(turn, 3) * 9
    const drawn = to.x === from.x ? around(from.x + from.width, y1, y2, beside++)
      : to.x > from.x ? across(from.x + from.width, y1, to.x, y2) : across(from.x, y1, to.x + to.width, y2)
    return [{ from: box, row, ...drawn }]
  }))
}

type Drawn = Pick<PlacedLine, 'path' | 'head' | 'right'>

/** From one column to another. */
function across(x1: number, y1: number, x2: number, y2: number): Drawn {
  const forward = Math.sign(x2 - x1)
  const middle = (x1 + x2) / 2
  return { path: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2 - 6 * forward} ${y2}`, head: `M${x2} ${y2}l${-8 * forward} -4v8z`, right: Math.max(x1, x2) }
}

/** Within a column, on its right: each line a little further out, so that they do not overlap. */
function around(x: number, y1: number, y2: number, turn: number): Drawn {
  const out = x + 22 + (turn % 6) * 11
  const corner = y2 < y1 ? -8 : 8
  return { path: `M${x} ${y1}H${out - 8}q8 0 8 ${corner}V${y2 - corner}q0 ${corner} -8 ${corner}H${x + 6}`, head: `M${x} ${y2}l8 -4v8z`, right: out }
}
