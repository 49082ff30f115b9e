// What each cache of Quire is worth: `quire start` with all of them, and with exactly one of them off. Remembered answers
// hide what the caches below them do, so those are also measured with every answer made anew.

import { join } from 'node:path'
import { quireStart, type Contender } from '../contenders.ts'
import { howLoaded } from '../load/measure-loads.ts'
import { mixes } from '../operations/mix.ts'
import type { Operation } from '../operations/operation.ts'
import { sameRequests } from '../operations/same.ts'
import { cacheTables } from '../report/cache-tables.ts'
import type { CacheName } from '../servers/cache-code.ts'
import { chosen, type Suite } from '../suite.ts'
import { measureAll } from './compare.ts'

const operations: readonly Operation[] = [...mixes.filter(({ name }) => name === 'mix-1'), ...sameRequests.filter(({ name }) => name !== 'point')]

const everywhere = ['memory', 'sqlite'] as const
const sqlite = ['sqlite'] as const

const contenders: readonly Contender[] = [
  server('all', 'All caches', everywhere),
  server('anew', 'Without remembered answers: made anew', everywhere, undefined, true),
  ...without('plans', 'plans', everywhere),
  ...without('rows', 'texts of rows', everywhere),
  ...without('documents', 'documents of SQLite', sqlite),
  ...without('results', 'results of queries of SQLite', sqlite),
]

export const caches: Suite = async (options) => {
  const named = new Set(chosen<Operation | Contender>([...operations, ...contenders], options).map(({ name }) => name))
  const some = operations.filter(({ name }) => named.has(name))
  // A row is compared with one of the first two.
  const rows = contenders.filter(({ name }, at) => at < 2 || named.has(name))
  const comparisons = await measureAll({ operations: some.length > 0 ? some : operations, contenders: rows.length > 2 ? rows : contenders }, options)
  return { how: howLoaded(options), tables: cacheTables(comparisons), data: { comparisons } }
}

function without(cache: CacheName, title: string, stores: Contender['stores']): Contender[] {
  return [server(`without-${cache}`, `Without ${title}`, stores, cache), server(`anew-without-${cache}`, `Made anew without ${title}`, stores, cache, true)]
}

function server(name: string, title: string, stores: Contender['stores'], cache?: CacheName, anew = false): Contender {
  return {
    name, title, kind: 'quire', logs: true, remembers: !anew, stores,
    command: (data) => {
      const { args, ...rest } = quireStart(data, { ...(anew ? { QUIRE_ANSWERS_MB: '0' } : {}), ...(cache === undefined ? {} : { BENCH_WITHOUT: cache }) })
      return { args: [...(cache === undefined ? [] : ['--import', join(import.meta.dirname, '../servers/without-cache.ts')]), ...args], ...rest }
    },
  }
}
