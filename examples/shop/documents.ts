// What a new store has: the same few documents each time. Copies, counts and averages are computed here, as Quire keeps them afterwards.

import type { DocumentsByType, DocumentTools } from '../../src/index.ts'

const categories = [
  { id: 'kitchen', name: 'Kitchen' },
  { id: 'garden', name: 'Garden' },
  { id: 'gifts', name: 'Gifts' },
]

const products = [
  { id: 'p1', sku: 'POT-001', name: 'Copper pot', price: 49.9, stock: 12, tags: ['copper', 'handmade'], in: ['kitchen', 'gifts'], stars: [5, 4, 5, 5] },
  { id: 'p2', sku: 'POT-002', name: 'Flower pot', price: 9.5, stock: 80, tags: ['clay'], in: ['garden'], stars: [3, 4] },
  { id: 'p3', sku: 'KNI-001', name: 'Bread knife', price: 24, stock: 5, tags: ['steel'], in: ['kitchen'], stars: [4, 5, 4, 3, 4] },
  { id: 'p4', sku: 'SEE-001', name: 'Sunflower seeds', price: 2.95, stock: 200, tags: ['organic'], in: ['garden', 'gifts'], stars: [] },
  { id: 'p5', sku: 'TEA-001', name: 'Teapot', price: 35, stock: 0, tags: ['clay', 'handmade'], in: ['kitchen', 'gifts'], stars: [5] },
]

const customers = [
  { id: 'c1', email: 'ada@example.com', name: 'Ada Byron', since: '2023-02-01T09:00:00.000Z', addresses: [{ street: 'Hill 1', city: 'Ulm', zip: '89073' }] },
  { id: 'c2', email: 'ben@example.com', name: 'Ben Okri', since: '2024-05-20T16:30:00.000Z', addresses: [{ street: 'Quay 7', city: 'Bremen', zip: '28195' }, { street: 'Mill 3', city: 'Ulm', zip: '89077' }] },
  { id: 'c3', email: 'cleo@example.com', name: 'Cleo Lind', since: '2025-01-11T12:00:00.000Z', addresses: [] },
]

const orders = [
  { id: 'o1', by: 'c1', placedAt: '2025-03-01T10:00:00.000Z', state: 'SENT', lines: [{ of: 'p1', quantity: 1, price: 45 }, { of: 'p4', quantity: 4, price: 2.95 }] },
  { id: 'o2', by: 'c2', placedAt: '2025-03-04T18:20:00.000Z', state: 'RETURNED', lines: [{ of: 'p5', quantity: 1, price: 35 }] },
  { id: 'o3', by: 'c1', placedAt: '2025-04-12T08:05:00.000Z', state: 'OPEN', lines: [{ of: 'p3', quantity: 2, price: 24 }] },
  { id: 'o4', by: 'c2', placedAt: '2025-04-13T21:40:00.000Z', state: 'OPEN', lines: [{ of: 'p2', quantity: 12, price: 9 }] },
]

export function documents({ withEntries }: DocumentTools): DocumentsByType {
  const reviewed = products.map(({ in: shelves, stars, ...product }) => {
    const reviews = stars.map((count, index) => ({ id: `${product.id}-r${index + 1}`, stars: count, text: null, reviewer: customers[index % customers.length]!.name }))
    const averageRating = stars.length === 0 ? null : sum(stars) / stars.length
    return withEntries('Product.reviews', { ...product, averageRating, categories: shelves.map((id) => named(categories, id)) }, reviews)
  })
  const placed = orders.map(({ by, lines, ...order }) => ({
    ...order,
    customer: named(customers, by),
    total: sum(lines.map(({ quantity, price }) => quantity * price)),
    lines: lines.map(({ of, ...line }) => ({ ...line, productId: of, name: named(products, of).name })),
  }))
  return {
    Product: reviewed.map(({ document }) => document),
    products: reviewed.flatMap(({ buckets }) => buckets),
    Category: categories.map((category) => ({ ...category, countOfProducts: products.filter((product) => product.in.includes(category.id)).length })),
    Customer: customers.map((customer) => {
      const totals = placed.filter((order) => order.customer.id === customer.id).map(({ total }) => total)
      return { ...customer, countOfOrders: totals.length, totalSpent: sum(totals) }
    }),
    Order: placed,
  }
}

/** A copy of what others show of a document: its id and its name. */
function named(among: readonly { readonly id: string; readonly name: string }[], id: string): { id: string; name: string } {
  return { id, name: among.find((one) => one.id === id)!.name }
}

/** In whole cents, as prices are. */
function sum(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((total, number) => total + number, 0) * 100) / 100
}
