// A few documents of the shipped schema, of two people who must not see each other's portfolios.

import { visit, type DocumentNode } from 'graphql'
import type { Viewer } from '../../src/auth/viewer.ts'
import type { Documents } from '../harness.ts'

function viewer(id: string, ...roles: string[]): Viewer {
  return { id, roles: new Set(roles), tenant: undefined }
}

export const viewers: Readonly<Record<string, Viewer | undefined>> = {
  nobody: undefined, stranger: viewer('eve'), bob: viewer('bob'), support: viewer('sue', 'support'), broker: viewer('joe', 'broker'), librarian: viewer('kim', 'librarian'),
}

export const documents: Documents = {
  Person: ['ada', 'bob'].map((id) => ({
    id, firstName: `First ${id}`, lastName: `Last ${id}`, addresses: [{ line1: `Street of ${id}`, city: `City of ${id}` }], contactDetails: [{ email: `${id}@example.com` }, { phone: `Phone of ${id}` }],
  })),
  Portfolio: ['ada', 'bob'].map((id) => ({ id: `portfolio-${id}`, name: `Savings of ${id}`, personId: id, holdings: [{ numberHeld: 3, stockId: 1 }] })),
  Stock: [{ id: '1', symbol: 'zaza', open: 1, high: 2, low: 1, vol: 10, 'mkt-cap': 100, pe: 5 }],
  Trade: [{ id: 't1', symbol: 'zaza', date: '2026-08-09', tradedAt: '2026-08-09T14:30:00Z', price: 2, quantity: 1, stockId: 1 }],
  Author: [{ id: 'a1', firstName: 'First', lastName: 'Last', images: [], countOfBooks: 1, books: ['b1'] }],
  Book: [{ id: 'b1', bookId: 'b1', type: 'book', name: 'Book', year: 2000, authors: [{ id: 'a1', name: 'First Last', thumbnailUrl: null }], 'pub-id': 'p1', countOfReviews: 0, recentReviews: [] }],
  Publisher: [{ id: 'p1', name: 'Press', countOfBooks: 1 }],
}

export function withoutRules(sdl: DocumentNode): DocumentNode {
  return visit(sdl, { Directive: ({ name }) => (name.value === 'readable' || name.value === 'writable' ? null : undefined) })
}
