// Growth per minute, by linear regression.

export interface Point {
  readonly minutes: number
  readonly mb: number
}

export function slopeOf(points: readonly Point[]): number {
  const [x, y] = [mean(points.map(({ minutes }) => minutes)), mean(points.map(({ mb }) => mb))]
  const spread = points.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, { minutes, mb }) => sum + (minutes - x) * (mb - y), 0) / spread
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
