// The memory store as a setting: `memory`.

import type { StoreKind } from '../store-kind.ts'

export const memoryKind: StoreKind<{ readonly kind: 'memory' }> = {
  syntax: 'memory',
  choice: { text: 'memory', label: 'memory', hint: 'lost when the process ends, for trying things out' },
  atomic: 'store',
  durable: false,
  isShared: () => false,
  isNamedBy: (text) => text === 'memory',
  read: () => ({ kind: 'memory' }),
  async open(_setting, layout, memory) {
    return (await import('./memory-store.ts')).openMemoryStore(layout, memory)
  },
}
