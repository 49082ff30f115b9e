// Quire without its tracing code: a module imported by the name that this gives, and everything that it imports, is loaded a
// second time without the lines of tracing-code.ts. The difference between the two copies, which share one process, is what
// a gateway pays for tracing while it is off.

import { registerHooks } from 'node:module'
import { tracingCode, withoutTracingCode } from './tracing-code.ts'

const mark = '?without-tracing'

export function withoutTracing(file: string): string {
  return file + mark
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const isOurs = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/')
    return isOurs && context.parentURL?.endsWith(mark) && !resolved.url.endsWith(mark) ? { ...resolved, url: resolved.url + mark } : resolved
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const file = Object.keys(tracingCode).find((name) => url.endsWith(`/${name}${mark}`))
    return file === undefined ? loaded : { ...loaded, source: withoutTracingCode(file, String(loaded.source)) }
  },
})
