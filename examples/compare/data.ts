// The data for all schemas, the same on every machine: `size` books and as many portfolios. a1 has written about every
// fourth book, and every portfolio holds the stock s1.

const bio = 'Lives by the sea, writes in the mornings, and answers letters from readers in the afternoons. '.repeat(6)

export function documents(size: number): [type: string, inputs: Record<string, unknown>[]][] {
  const authors = Math.max(2, Math.ceil(size / 4))
  const publishers = Math.max(1, Math.ceil(size / 50))
  const stocks = Math.max(2, Math.ceil(size / 10))
  const written = upTo(size).map((number) => ({ id: `b${number}`, authorIds: distinct([`a${1 + (number % authors)}`, number % 4 === 0 ? 'a1' : `a${1 + ((number * 7) % authors)}`]) }))
  const held = upTo(size).map((number) => ({ id: `f${number}`, stockIds: distinct(['s1', `s${1 + (number % stocks)}`]) }))
  return [
    ['Author', upTo(authors).map((number) => ({ id: `a${number}`, name: `Author ${number}`, thumbnailUrl: `https://pictures.example/a${number}.png`, bio }))],
    ['Publisher', upTo(publishers).map((number) => ({ id: `p${number}`, name: `House ${number}`, city: 'Bergen' }))],
    ['Book', written.map((book, index) => ({ ...book, name: `Book ${index + 1}`, year: 1950 + (index % 70), publisherId: `p${1 + (index % publishers)}` }))],
    ['Authorship', written.flatMap(({ id, authorIds }) => authorIds.map((authorId) => ({ id: `${id}-${authorId}`, bookId: id, authorId })))],
    ['Stock', upTo(stocks).map((number) => ({ id: `s${number}`, symbol: `S${number}`, price: 10 + number }))],
    ['Portfolio', held.map((portfolio, index) => ({ ...portfolio, name: `Portfolio ${index + 1}` }))],
    ['Holding', held.flatMap(({ id, stockIds }) => stockIds.map((stockId) => ({ id: `${id}-${stockId}`, portfolioId: id, stockId })))],
  ]
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

function distinct(ids: string[]): string[] {
  return [...new Set(ids)]
}
