// The points of a change feed as text, for stores whose points are short.

import type { FeedPoints } from './store.ts'

export function pointsText(points: FeedPoints): string {
  return JSON.stringify(points)
}

export function pointsIn(text: string): FeedPoints {
  return JSON.parse(text) as FeedPoints
}
