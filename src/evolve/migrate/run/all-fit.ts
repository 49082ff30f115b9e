// No migration ends with a document that the new schema refuses. Every new form is asked before anything is changed, and so is every document
// that stays as it is while the declaration of its type changes. Snapshots, lists and counts are computed later, and are not asked for.

import { documentPages } from '../../check/document-pages.ts'
import { createValueCheck, type ValueCheck } from '../../check/invalid-values.ts'
import type { Finding } from '../../check/finding.ts'
import { BatchedView } from '../../check/batched-view.ts'
import { classes, differences } from '../../declared/differences.ts'
import { objectsIn } from '../../declared/objects-in.ts'
import { declaredStorage, type DeclaredStorage } from '../../declared/declared-storage.ts'
import type { DocumentType } from '../../../model/model.ts'
import { selectionOf } from '../../../read/selection.ts'
import type { ContainerLayout, StoredDocument } from '../../../store/store.ts'
import { allTenants } from '../../../store/tenants/all-tenants.ts'
import { TenantStore } from '../../../store/tenants/tenant-store.ts'
import { transformDocument, type TransformedDocument } from '../transform/transform-document.ts'
import type { TypeWork } from '../transform/type-work.ts'
import { Unfit } from '../transform/transform-values.ts'
import { MigrationRefusedError, type MigrationRun } from './migration-run.ts'

/** How many problems are named. */
const named = 5

export function refusal(problems: readonly string[]): MigrationRefusedError {
  const shown = [...problems.slice(0, named), ...(problems.length > named ? [`${problems.length - named} more documents do not fit.`] : [])]
  return new MigrationRefusedError(`Nothing was changed:\n${shown.map((line) => `  - ${line}`).join('\n')}`)
}

/** Throws `Unfit` if the document, or one that is made of it, would not be what the new schema declares. */
export function refuseUnfit(fits: ValueCheck, { now }: Pick<TypeWork, 'now'>, document: StoredDocument, { puts }: Pick<TransformedDocument, 'puts'>): void {
  const all = puts.filter(({ isBucket }) => !isBucket)
  if (now && !all.some(({ type, key }) => type === now && key.id === document.key.id)) refuseFinding(fits(now, document), '')
  for (const { type, key, body } of all) refuseFinding(fits(type, { ...document, key, body }), type === now ? '' : `${type.name} ${key.id}: `)
}

function refuseFinding(found: readonly Finding[], place: string): void {
  const wrong = found.find(({ kind }) => kind === 'missing' || kind === 'invalid')
  if (wrong) throw new Unfit(`${place}${wrong.at} ${wrong.kind === 'missing' ? 'would be missing, and the schema requires it' : 'would have a value that is none of its type'}`)
}

interface Planned extends Pick<MigrationRun, 'declared' | 'store' | 'pairs' | 'work' | 'advance'> {
  /** The containers that the store was opened with. */
  readonly layout: readonly ContainerLayout[]
}

/** Asks documents that no step rewrites. `inPlace` also those that are rewritten page by page, where nothing else asks them before. */
export async function refuseUnfitOthers({ declared, store, layout, pairs, work, advance }: Planned, before: DeclaredStorage, inPlace: boolean): Promise<void> {
  const fits = createValueCheck(declared, true)
  const changed = changedTypes(declared.model, before)
  const problems: string[] = []
  for (const part of declared.tenants ? (await allTenants(store, layout)).map((tenant) => new TenantStore(store, tenant)) : [store]) {
    for (const type of declared.model.documents.values()) {
      const typeWork = work.types.find(({ now }) => now === type)
      if (typeWork ? !inPlace : !changed.has(type)) continue
      for await (const page of documentPages(part, selectionOf(type))) {
        const view = new BatchedView(part)
        for (const document of page) {
          try {
            refuseUnfit(fits, { now: type }, document, typeWork ? await transformDocument(pairs, typeWork, document, view) : { puts: [] })
          } catch (error) {
            if (!(error instanceof Unfit)) throw error
            problems.push(`${type.name} ${document.key.id}: ${error.message}.`)
          }
        }
        await advance(0)
      }
    }
  }
  if (problems.length > 0) throw refusal(problems)
}

/** Document types whose documents, or the objects in them, are declared in another way than before. */
function changedTypes(model: MigrationRun['declared']['model'], before: DeclaredStorage): ReadonlySet<DocumentType> {
  const changed = new Set(differences(before, declaredStorage(model)).filter(({ change }) => classes[change] === 'migration' || classes[change] === 'by documents').map(({ at }) => at.split('.')[0]!))
  return new Set([...model.documents.values()].filter((type) => changed.has(type.name) || [...objectsIn(model, type)].some((name) => changed.has(name))))
}
