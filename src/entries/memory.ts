// `quire-graphql/memory`.

export { openMemoryStore } from '../store/memory/memory-store.ts'
