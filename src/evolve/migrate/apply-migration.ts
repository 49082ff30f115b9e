// Carries out a plan: rewrites documents, recomputes what follows from them, and records the new declaration last. Every step looks at what a
// document has, so it can be stopped and run again. Before anything is written, it looks whether every value can be converted.

import type { Body } from '../../model/json/json.ts'
import { keyText } from '../../model/keys/key.ts'
import type { DocumentType } from '../../model/model.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { Store, StoredDocument } from '../../store/store.ts'
import { allTenants } from '../../store/tenants/all-tenants.ts'
import { TenantStore } from '../../store/tenants/tenant-store.ts'
import { withNextVersion } from '../../write/snapshot-versions.ts'
import { checkAllTenants } from '../check/check-tenants.ts'
import { documentPages } from '../check/document-pages.ts'
import type { KeepTakenOut } from '../check/repair/taken-out.ts'
import { writeRepaired } from '../check/repair/write-repaired.ts'
import { confirmAll } from '../confirm-all.ts'
import { conversionTo } from './convert-value.ts'
import type { Action, MigrationStep } from './plan-migration.ts'

export interface ApplyOptions {
  /** Keeps what documents had before they are changed. */
  readonly keep: KeepTakenOut
  readonly onProgress?: (documents: number, total: number) => void
  readonly signal?: AbortSignal
}

/** The documents cannot be migrated as planned. Nothing has been written. */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError'
}

/** Answers with how many documents were rewritten. */
export async function applyMigration(declared: Declaration, store: Store, steps: readonly MigrationStep[], { keep, onProgress, signal }: ApplyOptions): Promise<number> {
  const stopped = steps.filter(({ action }) => action.does === 'stop')
  if (stopped.length > 0) throw new MigrationRefusedError(`Nothing was changed:\n${stopped.map(({ sentence }) => `  - ${sentence}`).join('\n')}`)
  const byType = Map.groupBy(steps.map(({ action }) => action).filter(isRewriting), ({ type }) => type)
  const total = steps.reduce((sum, { documents }) => sum + documents, 0)
  const stores = declared.tenants ? (await allTenants(store, declared.layout)).map((tenant) => ({ store: new TenantStore(store, tenant) as Store, tenant })) : [{ store, tenant: undefined }]
  for (const { store: own } of stores) for (const [type, actions] of byType) await refuseUnconvertible(own, type, actions)
  let [count, looked] = [0, 0]
  for (const { store: own, tenant } of stores) {
    const keepOwn: KeepTakenOut = (taken) => keep(tenant === undefined ? taken : taken.map((each) => ({ ...each, tenant })))
    for (const [type, actions] of byType) {
      for await (const page of documentPages(own, selectionOf(type))) {
        count += await rewritePage(own, type, actions, page, keepOwn)
        onProgress?.((looked += page.length), Math.max(looked, total))
        signal?.throwIfAborted()
      }
    }
  }
  // What other documents copy, list or count follows from the documents as they are now.
  const left = []
  for await (const finding of checkAllTenants(declared, store, { repair: true, keep, ...(signal ? { signal } : {}) })) {
    if (finding.repair === 'done') count++
    else if (finding.kind === 'drifted' || finding.kind === 'miscounted' || finding.kind === 'misplaced') left.push(finding)
  }
  if (left.length > 0) throw new MigrationRefusedError(`The documents were rewritten, but not everything could be recomputed, so the schema is not recorded:\n${left.slice(0, 10).map(({ sentence }) => `  - ${sentence}`).join('\n')}`)
  await confirmAll(declared, store)
  return count
}

type Rewriting = Extract<Action, { readonly type: DocumentType }>

function isRewriting(action: Action): action is Rewriting {
  return 'type' in action
}

async function refuseUnconvertible(store: Store, type: DocumentType, actions: readonly Rewriting[]): Promise<void> {
  const conversions = actions.filter((each) => each.does === 'convert')
  if (conversions.length === 0) return
  const wrong: string[] = []
  let count = 0
  for await (const page of documentPages(store, selectionOf(type))) {
    for (const { body, key: { id } } of page) {
      for (const { at, target } of conversions) {
        if (body[at] === undefined || conversionTo(target)!(body[at])) continue
        count++
        if (wrong.length < 3) wrong.push(`${type.name} ${id}`)
      }
    }
  }
  if (count > 0) throw new MigrationRefusedError(`Nothing was changed: ${count} values of ${conversions.map(({ at, target }) => `"${at}" are no ${target}`).join(' or ')}, such as in ${wrong.join(', ')}. Correct them first.`)
}

/** A document that another writer changes meanwhile is read and rewritten again. */
async function rewritePage(store: Store, type: DocumentType, actions: readonly Rewriting[], page: readonly StoredDocument[], keep: KeepTakenOut): Promise<number> {
  let written = 0
  for (let documents = page; documents.length > 0;) {
    const changed = documents.flatMap((document) => {
      const body = actions.reduce(rewritten, document.body)
      return body === document.body ? [] : [{ document, findings: [], repaired: withNextVersion(body) }]
    })
    const done = await writeRepaired(store, type.container, changed, keep)
    written += done.size
    const rest = changed.filter((one) => !done.has(one)).map(({ document }) => document)
    const again = rest.length === 0 ? [] : await store.readMany(type.container, rest.map(({ key }) => key))
    // One that is gone needs nothing.
    documents = again.filter((each) => each !== undefined && rest.some(({ key }) => keyText(key) === keyText(each.key))) as StoredDocument[]
  }
  return written
}

/** The same object if there is nothing to do. */
function rewritten(body: Body, action: Rewriting): Body {
  switch (action.does) {
    case 'move': {
      const { from, to } = action
      // What is there already has been moved, or written since.
      if (body[from] === undefined || (body[to] !== undefined && body[to] !== null)) return body
      const { [from]: value, ...rest } = body
      return { ...rest, [to]: value }
    }
    case 'fill':
      return body[action.at] === undefined || body[action.at] === null ? { ...body, [action.at]: action.value } : body
    case 'convert': {
      const value = body[action.at]
      const converted = value === undefined ? undefined : conversionTo(action.target)!(value)
      return !converted || converted.value === value ? body : { ...body, [action.at]: converted.value }
    }
  }
}
