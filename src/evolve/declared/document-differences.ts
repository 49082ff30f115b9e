// Asks the stored documents about differences that declarations alone cannot judge: whether there are documents in the place that a
// type has left, and whether the values that are there fit.

import { selectionOf } from '../../read/selection.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { uniqueFields } from '../../model/values/unique.ts'
import { allTenants } from '../../store/tenants/all-tenants.ts'
import { tenantedLayout } from '../../store/tenants/tenant-layout.ts'
import { TenantStore } from '../../store/tenants/tenant-store.ts'
import type { Selection } from '../../store/query.ts'
import type { ContainerLayout, Store, StoredDocument } from '../../store/store.ts'
import { documentPages } from '../check/document-pages.ts'
import { firstDouble } from '../check/unique/check-unique.ts'
import { createValueCheck } from '../check/invalid-values.ts'
import { classes, type Difference } from './differences.ts'
import { declaredStorage, storedTypeOf, type DeclaredStorage, type DeclaredType } from './declared-storage.ts'
import { objectsIn } from './objects-in.ts'

/** Opens the same store with these containers. */
export type OpenWith = (layout: readonly ContainerLayout[]) => Promise<Store>

/** The differences that the documents need a migration for. */
export async function needingMigration(declaration: Declaration, store: Store, before: DeclaredStorage, found: readonly Difference[], openWith: OpenWith | undefined): Promise<Difference[]> {
  const sure = found.filter(({ change }) => classes[change] === 'migration' || classes[change] === 'recompute')
  const doubtful = found.filter(({ change }) => classes[change] === 'by documents' && change !== 'newly unique')
  const places = new Map<string, Promise<boolean>>()
  const hasDocuments = ({ stored }: Difference): Promise<boolean> => {
    if (!stored) return anyDocument(declaration, store)
    const place = `${stored.container} ${stored.type ?? ''}`
    const known = places.get(place) ?? hasAny(declaration, store, stored, openWith)
    places.set(place, known)
    return known
  }
  const kept: Difference[] = []
  for (const each of sure) if (await hasDocuments(each)) kept.push(each)
  return [...kept, ...(doubtful.length === 0 ? [] : await misfitting(declaration, store, before, doubtful, openWith)), ...(await withDoubles(declaration, store, found.filter(({ change }) => change === 'newly unique')))]
}

async function anyDocument({ model }: Declaration, store: Store): Promise<boolean> {
  for (const type of model.documents.values()) if ((await sample(store, selectionOf(type), 1)).length > 0) return true
  return false
}

/** A container that cannot be looked into counts as one with documents. */
async function hasAny(declaration: Declaration, store: Store, stored: DeclaredType, openWith: OpenWith | undefined): Promise<boolean> {
  if (!openWith && !declaration.layout.some(({ name }) => name === stored.container)) return true
  try {
    return await inPlace(declaration, store, stored, openWith, async ([view], selection) => view !== undefined && (await sample(view, selection, 1)).length > 0)
  } catch {
    return true
  }
}

/** Those whose values some documents lack, or have in another form. All documents are looked at, where they are stored: once, when it is declared. */
async function misfitting(declaration: Declaration, store: Store, before: DeclaredStorage, doubtful: readonly Difference[], openWith: OpenWith | undefined): Promise<Difference[]> {
  const fits = createValueCheck(declaration, true)
  const wrong = new Map<string, string>()
  for (const type of declaration.model.documents.values()) {
    const names = new Set([type.name, ...objectsIn(declaration.model, type)])
    const open = doubtful.map(({ at }) => at).filter((at) => names.has(at.split('.')[0]!) && !wrong.has(at))
    const stored = storedTypeOf(before, type.name, declaredStorage(declaration.model).documents[type.name]!)
    if (open.length === 0 || !stored) continue
    const isMoved = !declaration.layout.some(({ name }) => name === stored.container)
    if (isMoved && !openWith) continue
    await inPlace(declaration, store, stored, openWith, async (views, selection) => {
      for (const view of views) {
        for await (const page of documentPages(view, selection)) {
          for (const document of page) for (const { at, kind } of fits(type, document)) if (kind !== 'violated' && !wrong.has(at)) wrong.set(at, kind === 'missing' ? 'and documents lack it' : 'and documents have values that do not fit')
          if (open.every((at) => wrong.has(at))) return
        }
      }
    }).catch((error: unknown) => {
      // That they are elsewhere is a difference already, and a migration asks each of them.
      if (!isMoved) throw error
    })
  }
  return doubtful.flatMap((each) => (wrong.has(each.at) ? [{ ...each, sentence: `${each.sentence}, ${wrong.get(each.at)}` }] : []))
}

/** Opens the container that documents are in, as a whole or as each tenant sees it. */
async function inPlace<T>({ layout, tenants }: Declaration, store: Store, stored: DeclaredType, openWith: OpenWith | undefined, use: (views: readonly Store[], selection: Selection) => Promise<T>): Promise<T> {
  const left: ContainerLayout[] = layout.some(({ name }) => name === stored.container) ? [] : [{ name: stored.container, partitionKey: stored.partitionPaths, indexes: [], followed: true, untyped: stored.type === undefined }]
  const all = [...layout, ...(tenants ? tenantedLayout(left) : left)]
  const opened = left.length > 0 && openWith ? await openWith(all) : store
  try {
    return await use(tenants ? (await allTenants(opened, all)).map((tenant) => new TenantStore(opened, tenant)) : [opened], { container: stored.container, ...(stored.type === undefined ? {} : { type: stored.type }) })
  } finally {
    if (opened !== store) await opened.close()
  }
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
