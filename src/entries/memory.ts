// `quire-graphql/memory`.

export { Memory, openMemoryStore } from '../store/memory/memory-store.ts'
