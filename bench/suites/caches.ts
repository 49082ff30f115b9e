// What each cache of Quire is worth: `quire start` with all of them, and with exactly one of them off.

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
  without('plans', 'plans', everywhere),
  without('rows', 'texts of rows', everywhere),
  without('documents', 'documents of SQLite', sqlite),
  without('results', 'results of queries of SQLite', sqlite),
  without('absent', 'absent keys of SQLite', sqlite),
]

export const caches: Suite = async (options) => {
  const named = new Set(chosen<Operation | Contender>([...operations, ...contenders], options).map(({ name }) => name))
  const some = operations.filter(({ name }) => named.has(name))
  // Every row is compared with the first.
  const rows = contenders.filter(({ name }, at) => at === 0 || named.has(name))
  const comparisons = await measureAll({ operations: some.length > 0 ? some : operations, contenders: rows.length > 1 ? rows : contenders }, options)
  return { how: howLoaded(options), tables: cacheTables(comparisons), data: { comparisons } }
}

function without(cache: CacheName, title: string, stores: Contender['stores']): Contender {
  return server(`without-${cache}`, `Without ${title}`, stores, cache)
}

function server(name: string, title: string, stores: Contender['stores'], cache?: CacheName): Contender {
  return {
    name, title, kind: 'quire', logs: true, stores,
    command: (data) => {
      if (cache === undefined) return quireStart(data, {})
      const { args, ...rest } = quireStart(data, { BENCH_WITHOUT: cache })
      return { ...rest, args: ['--import', join(import.meta.dirname, '../servers/without-cache.ts'), ...args] }
    },
  }
}
