// What is the same of every store whose writes are atomic and in order as a whole, wherever its documents are.

import type { Supports } from '../store.ts'

export const wholeStore = {
  atomic: 'store',
  maxWriteDelayMs: 0,
  positions: 'writes',
  charges: 'estimated',
  sizes: 'exact',
  textOrder: 'code points',
  batch: { writes: Infinity, bytes: Infinity },
  keysPerRequest: 1000,
  documentBytes: 2 * 1024 * 1024,
} as const satisfies Partial<Supports>
