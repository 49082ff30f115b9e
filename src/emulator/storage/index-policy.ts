// What a container's indexing policy covers: which paths are indexed, which orders a composite index
// serves, and how many terms a document has.

import type { IndexingPolicy } from './definition.ts'
import { isObject } from '../../model/json/json.ts'
import { parsePath } from './property-path.ts'

export interface OrderPath {
  readonly path: readonly string[]
  readonly descending: boolean
}

interface Rule {
  readonly path: readonly string[]
  /** Whether it covers everything beneath the path (/*) or only the scalar at it (/?). */
  readonly subtree: boolean
  readonly included: boolean
}

export const defaultPolicy: IndexingPolicy = {
  indexingMode: 'consistent',
  automatic: true,
  includedPaths: [{ path: '/*' }],
  excludedPaths: [{ path: '/"_etag"/?' }],
}

export class IndexPolicy {
  private readonly rules: readonly Rule[]
  private readonly composites: readonly (readonly OrderPath[])[]
  /** The same few paths are asked for with every document. */
  private readonly known = new Map<string, boolean>()

  constructor(policy: IndexingPolicy) {
    this.rules = policy.indexingMode?.toLowerCase() === 'none' ? [] : [
      ...(policy.includedPaths ?? []).map(({ path }) => rule(path, true)),
      ...(policy.excludedPaths ?? []).map(({ path }) => rule(path, false)),
      rule('/id/?', true),
      rule('/_ts/?', true),
    ]
    this.composites = (policy.compositeIndexes ?? []).map((composite) =>
      composite.map(({ path, order }) => ({ path: parsePath(path), descending: order === 'descending' })))
  }

  includes(path: readonly string[]): boolean {
    const name = path.join('\0')
    const known = this.known.get(name)
    if (known !== undefined) return known
    const included = this.decide(path)
    this.known.set(name, included)
    return included
  }

  /** Whether the path or anything under it is indexed: enough to tell that something is there. */
  reaches(path: readonly string[]): boolean {
    return this.includes(path) || this.rules.some((each) => each.included && each.path.length > path.length && startsWith(each.path, path))
  }

  /** A composite index can be read forwards or backwards, not partly so. */
  hasComposite(order: readonly OrderPath[]): boolean {
    return this.composites.some((composite) =>
      composite.length === order.length &&
      composite.every(({ path }, i) => path.join('\0') === order[i]?.path.join('\0')) &&
      new Set(composite.map(({ descending }, i) => descending === order[i]?.descending)).size === 1)
  }

  /** One term for each scalar leaf that the policy includes, as path and value. */
  terms(document: Record<string, unknown>): string[] {
    const terms: string[] = []
    const visit = (value: unknown, path: readonly string[]): void => {
      if (Array.isArray(value)) for (const each of value) visit(each, [...path, '[]'])
      else if (isObject(value)) for (const [name, each] of Object.entries(value)) visit(each, [...path, name])
      else if (this.includes(path)) terms.push(`${path.join('\0')}=${JSON.stringify(value)}`)
    }
    visit(document, [])
    return terms
  }

  /** The most precise rule decides: the longer path, then the scalar before the subtree. */
  private decide(path: readonly string[]): boolean {
    let best: Rule | undefined
    for (const each of this.rules) {
      const matches = each.subtree ? startsWith(path, each.path) : path.length === each.path.length && startsWith(path, each.path)
      if (matches && (best === undefined || precision(each) > precision(best))) best = each
    }
    return best?.included ?? false
  }
}

function rule(text: string, included: boolean): Rule {
  const path = parsePath(text)
  const last = path.at(-1)
  if (last !== '?' && last !== '*') return { path, subtree: false, included }
  return { path: path.slice(0, -1), subtree: last === '*', included }
}

function precision({ path, subtree }: Rule): number {
  return path.length * 2 + (subtree ? 0 : 1)
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return path.length >= start.length && start.every((part, i) => path[i] === part)
}
