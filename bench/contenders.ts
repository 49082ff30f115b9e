// The servers of the comparison: Quire as shipped and without remembered answers, its peers, and a ceiling that none can reach.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerCommand } from './servers/start-server.ts'

export interface Contender {
  readonly name: string
  readonly title: string
  readonly kind: 'quire' | 'peer' | 'ceiling'
  readonly command: (data: Data) => ServerCommand
  /** Whether it is also measured on SQLite. */
  readonly onSqlite: boolean
}

/** The store and where its documents are. */
export type Data =
  | { readonly store: 'memory'; readonly documents: string; readonly answers: string }
  | { readonly store: 'sqlite'; readonly database: string }

const root = join(import.meta.dirname, '..')

export const contenders: readonly Contender[] = [
  {
    name: 'quire', title: 'Quire', kind: 'quire', onSqlite: true,
    command: (data) => ({ ...startCommand(), env: { QUIRE_STORE: storeOf(data) } }),
  },
  {
    name: 'quire-anew', title: 'Quire, each answer made anew', kind: 'quire', onSqlite: true,
    command: (data) => ({ ...startCommand(), env: { QUIRE_STORE: storeOf(data), QUIRE_ANSWERS_MB: '0' } }),
  },
  peer('mercurius', 'Mercurius, JIT, DataLoader', true),
  peer('mercurius-loaders', 'Mercurius, JIT, its loaders'),
  peer('grafast', 'Grafast, grafserv'),
  peer('apollo', 'Apollo Server, DataLoader'),
  peer('yoga', 'Yoga, DataLoader', true),
  peer('yoga-jit', 'Yoga, graphql-jit, DataLoader'),
  peer('jit-http', 'node:http, graphql-jit, DataLoader'),
  { ...peer('fixed', 'node:http, a fixed answer'), kind: 'ceiling' },
]

function storeOf(data: Data): string {
  return data.store === 'memory' ? 'memory' : `sqlite:${data.database}`
}

/** The command of `npm start`. */
export function startCommand(): ServerCommand {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [node, ...args] = scripts.start.split(' ')
  if (node !== 'node') throw new Error(`npm start runs ${node}. Only node can be measured.`)
  return { args, cwd: root }
}

function peer(name: string, title: string, onSqlite = false): Contender {
  return {
    name, title, kind: 'peer', onSqlite,
    command: (data) => ({
      args: [join(import.meta.dirname, `peers/${name}.ts`)],
      env: data.store === 'memory' ? { BENCH_DOCUMENTS: data.documents, BENCH_ANSWERS: data.answers } : { BENCH_SQLITE: data.database },
    }),
  }
}
