// Loaded before Quire, with `node --import`: Quire then runs without the cache that BENCH_WITHOUT names.

import { registerHooks } from 'node:module'
import { cacheCode, withoutCache, type CacheName } from './cache-code.ts'

const name = process.env['BENCH_WITHOUT'] as CacheName

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    return url.endsWith(`/${cacheCode[name].file}`) ? { ...loaded, source: withoutCache(name, String(loaded.source)) } : loaded
  },
})
