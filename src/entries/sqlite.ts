// `quire-graphql/sqlite`.

export { openSqliteStore, type SqliteOptions } from '../store/sqlite/sqlite-store.ts'
