// `quire-graphql/postgres`.

export { openPostgresStore, type PostgresSetting } from '../store/postgres/postgres-store.ts'
