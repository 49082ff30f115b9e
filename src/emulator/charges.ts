// Request charges by a published table and a fitted query formula: estimates that keep ratios honest,
// never what an account would bill. Nothing here knows requests.

/** A read of at most 1 kB; also what a 404, a 409, a 412 or a metadata request costs. */
export const baseRead = 1

/** kB of UTF-8 JSON → read, write. Between two rows charges are interpolated. */
const table: readonly (readonly [kB: number, read: number, write: number])[] = [
  [1, 1, 4.95], [2, 1.04, 6.29], [4, 1.14, 6.67], [8, 1.33, 7.04], [16, 1.67, 9.52], [32, 2.19, 11.23],
  [64, 4.76, 22.67], [128, 9.95, 48.19], [256, 20.28, 98.29], [512, 40.95, 184.57], [1024, 145.9, 625], [2048, 291.8, 1250],
]

export function chargeOfRead(bytes: number): number {
  return hundredths(interpolated(bytes, 1))
}

/** Creating and deleting touch every index term of the document. */
export function chargeOfWrite(bytes: number, terms: number): number {
  return hundredths(interpolated(bytes, 2) + 0.2 * terms)
}

/** A changed term is one removed and one added, so 0.2 for each of the two. */
export function chargeOfReplace(old: { bytes: number; terms: readonly string[] }, fresh: { bytes: number; terms: readonly string[] }): number {
  return hundredths(interpolated(old.bytes, 2) + interpolated(fresh.bytes, 2) + 0.2 * termsThatDiffer(old.terms, fresh.terms))
}

/** One page from one physical partition. */
export function chargeOfPage({ hits, documents, bytesLoaded }: { hits: boolean; documents: number; bytesLoaded: number }): number {
  return hundredths((hits ? 2.8 : 2.5) + 0.1 * documents + (0.0102 * bytesLoaded) / 1024)
}

export function chargeOfRefusal(status: number): number {
  return status === 404 || status === 409 || status === 412 ? baseRead : 0
}

export function hundredths(charge: number): number {
  return Math.round(charge * 100) / 100
}

function interpolated(bytes: number, column: 1 | 2): number {
  const kB = bytes / 1024
  const above = table.findIndex((row) => row[0] >= kB)
  const upper = table[above] ?? table.at(-1)
  const lower = table[above - 1]
  if (upper === undefined) return 0
  if (lower === undefined || above < 0) return upper[column]
  return lower[column] + ((kB - lower[0]) / (upper[0] - lower[0])) * (upper[column] - lower[column])
}

function termsThatDiffer(old: readonly string[], fresh: readonly string[]): number {
  const left = new Map<string, number>()
  for (const term of old) left.set(term, (left.get(term) ?? 0) + 1)
  let added = 0
  for (const term of fresh) {
    const count = left.get(term) ?? 0
    if (count === 0) added += 1
    else left.set(term, count - 1)
  }
  return added + left.values().reduce((sum, count) => sum + count, 0)
}
