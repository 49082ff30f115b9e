// How to turn one cache off, where no setting does: patterns that replace the line which uses it, in the source of a module.
// test/bench checks that each of them still matches, so a renamed line fails a test and not a benchmark.

export type CacheName = 'plans' | 'rows' | 'results' | 'absent' | 'documents'

interface Change {
  /** Under the project's root. */
  readonly file: string
  readonly line: RegExp
  readonly replacement: string
}

export const cacheCode: Readonly<Record<CacheName, Change>> = {
  plans: { file: 'src/execute/operation-cache.ts', line: /\bfits\((\w+\.)?recorded, inputs\)/g, replacement: 'false' },
  rows: { file: 'src/execute/create-execution.ts', line: /sameObjects: store\.supports\.sameObjects/, replacement: 'sameObjects: false' },
  results: { file: 'src/store/sqlite/read/result-reads.ts', line: /return this\.#cache !== undefined && !this\.#cache\.uncommitted.*/, replacement: 'return false' },
  absent: { file: 'src/store/sqlite/cache/absent-keys.ts', line: /return this\.#names\.size > 0 && .*/, replacement: 'return false' },
  documents: { file: 'src/store/sqlite/cache/document-cache.ts', line: /this\.#young\.add\(cached\)/, replacement: '' },
}

export function withoutCache(name: CacheName, source: string): string {
  const { file, line, replacement } = cacheCode[name]
  if (source.search(line) < 0) throw new Error(`${file} has no line like ${String(line)}. Update bench/servers/cache-code.ts.`)
  return source.replace(line, replacement)
}
