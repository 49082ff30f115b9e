// Asks the stored documents about differences that declarations alone cannot judge: whether there are documents in the place that a
// type has left, and whether the values that are there fit.

import { selectionOf } from '../../read/selection.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { uniqueFields } from '../../model/values/unique.ts'
import { allTenants } from '../../store/tenants/all-tenants.ts'
import { tenantedLayout } from '../../store/tenants/tenant-layout.ts'
import { TenantStore } from '../../store/tenants/tenant-store.ts'
import type { ContainerLayout, Store, StoredDocument } from '../../store/store.ts'
import { firstDouble } from '../check/unique/check-unique.ts'
import { createValueCheck } from '../check/invalid-values.ts'
import { classes, type Difference } from './differences.ts'
import type { DeclaredType } from './declared-storage.ts'

/** How many documents of each type are looked at. Those that were written under one schema are alike. */
const sampleSize = 100

/** Opens the same store with these containers. */
export type OpenWith = (layout: readonly ContainerLayout[]) => Promise<Store>

/** The differences that the documents need a migration for. */
export async function needingMigration(declaration: Declaration, store: Store, found: readonly Difference[], openWith: OpenWith | undefined): Promise<Difference[]> {
  const sure = found.filter(({ change }) => classes[change] === 'migration' || classes[change] === 'recompute')
  const doubtful = found.filter(({ change }) => classes[change] === 'by documents' && change !== 'newly unique')
  const places = new Map<string, Promise<boolean>>()
  const hasDocuments = ({ stored }: Difference): Promise<boolean> => {
    if (!stored) return anyDocument(declaration, store)
    const place = `${stored.container} ${stored.type ?? ''}`
    const known = places.get(place) ?? countAt(declaration, store, stored, openWith)
    places.set(place, known)
    return known
  }
  const kept: Difference[] = []
  for (const each of sure) if (await hasDocuments(each)) kept.push(each)
  return [...kept, ...(doubtful.length === 0 ? [] : await misfitting(declaration, store, doubtful)), ...(await withDoubles(declaration, store, found.filter(({ change }) => change === 'newly unique')))]
}

async function anyDocument({ model }: Declaration, store: Store): Promise<boolean> {
  for (const type of model.documents.values()) if ((await sample(store, selectionOf(type), 1)).length > 0) return true
  return false
}

/** A container that cannot be looked into counts as one with documents. */
async function countAt(declaration: Declaration, store: Store, stored: DeclaredType, openWith: OpenWith | undefined): Promise<boolean> {
  const { layout, tenants } = declaration
  const selection = { container: stored.container, ...(stored.type === undefined ? {} : { type: stored.type }) }
  if (layout.some(({ name }) => name === stored.container)) return (await sample(store, selection, 1)).length > 0
  if (!openWith) return true
  const left: ContainerLayout = { name: stored.container, partitionKey: stored.partitionPaths, indexes: [], followed: true, untyped: stored.type === undefined }
  try {
    const opened = await openWith([...layout, ...(tenants ? tenantedLayout([left]) : [left])])
    try {
      return (await sample(opened, selection, 1)).length > 0
    } finally {
      if (opened !== store) await opened.close()
    }
  } catch {
    return true
  }
}

/** Those whose values some documents lack, or have in another form. */
async function misfitting(declaration: Declaration, store: Store, doubtful: readonly Difference[]): Promise<Difference[]> {
  const fits = createValueCheck(declaration)
  const wrong = new Map<string, string>()
  for (const type of declaration.model.documents.values()) {
    for (const document of await sample(store, selectionOf(type), sampleSize)) {
      for (const { at, kind } of fits(type, document)) if (kind !== 'violated' && !wrong.has(at)) wrong.set(at, kind === 'missing' ? 'and documents lack it' : 'and documents have values that do not fit')
    }
  }
  return doubtful.flatMap((each) => (wrong.has(each.at) ? [{ ...each, sentence: `${each.sentence}, ${wrong.get(each.at)}` }] : []))
}

/** Those whose values some documents share. All documents are looked at, in the order of the value: once, when it is declared. */
async function withDoubles(declaration: Declaration, store: Store, found: readonly Difference[]): Promise<Difference[]> {
  if (found.length === 0) return []
  const views = declaration.tenants ? (await allTenants(store, declaration.layout)).map((tenant) => new TenantStore(store, tenant)) : [store]
  const shared: Difference[] = []
  for (const each of found) {
    const [typeName = '', name] = each.at.split('.')
    const type = declaration.model.documents.get(typeName)!
    const unique = uniqueFields(type).find(({ field }) => field.name === name)!
    for (const view of views) {
      const double = await firstDouble(view, type, unique)
      if (!double) continue
      shared.push({ ...each, sentence: `${each.sentence}, and ${double.map(({ key }) => key.id).join(' and ')} have the same value. "quire check" names all of them` })
      break
    }
  }
  return shared
}

async function sample(store: Store, selection: { readonly container: string; readonly type?: string }, limit: number): Promise<readonly StoredDocument[]> {
  return store.query({ ...selection, orderBy: { path: ['id'], descending: false }, limit })
}
