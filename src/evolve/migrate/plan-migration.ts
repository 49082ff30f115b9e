// What the documents need to fit the schema, step by step. The declarations say most of it; what they cannot tell (renamed, or dropped
// and added?) the caller says. A step that is unclear or not possible stops the whole plan: nothing is done by halves.

import type { Json } from '../../model/json/json.ts'
import { fieldAt, partitionProperties, type DocumentType, type Field } from '../../model/model.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { Store } from '../../store/store.ts'
import { classes, type Difference } from '../declared/differences.ts'
import { lineOf } from '../declared/migration-needed.ts'
import { compareDeclaration, storedStorage } from '../declared/stored-declaration.ts'
import type { OpenWith } from '../declared/judge-documents.ts'
import { conversionTo } from './convert-value.ts'

/** What two declarations cannot tell. */
export interface Answers {
  /** By `Type.field` as it was: the new name of the field. */
  readonly renamed: ReadonlyMap<string, string>
  /** Fields that are really gone, as `Type.field`. */
  readonly dropped: ReadonlySet<string>
  /** By `Type.field`: the value for documents that lack it. */
  readonly defaults: ReadonlyMap<string, Json>
}

export type Action =
  | { readonly does: 'move'; readonly type: DocumentType; readonly from: string; readonly to: string }
  | { readonly does: 'fill'; readonly type: DocumentType; readonly at: string; readonly value: Json }
  | { readonly does: 'convert'; readonly type: DocumentType; readonly at: string; readonly target: string }
  | { readonly does: 'recompute' }
  | { readonly does: 'record' }
  /** Somebody has to say more, or undo the change. */
  | { readonly does: 'stop' }

export interface MigrationStep {
  readonly at: string
  /** What differs, and what the step does about it. */
  readonly sentence: string
  readonly action: Action
  /** How many documents are looked at. */
  readonly documents: number
}

export async function planMigration(declared: Declaration, store: Store, answers: Answers, openWith?: OpenWith): Promise<MigrationStep[]> {
  const { needed, found } = await compareDeclaration(declared, store, openWith)
  const before = await storedStorage(store)
  const pending = found.filter(({ change }) => classes[change] === 'catch-up').map((each): [Difference, Step] => [each, { action: { does: 'recompute' }, what: 'Computed in every document.' }])
  // A field that another one is renamed to needs nothing else.
  const renamedTo = new Set([...answers.renamed].map(([from, to]) => `${from.split('.')[0]}.${to}`))
  const steps = needed.filter(({ at, change }) => !(renamedTo.has(at) && classes[change] === 'by documents')).map((each): [Difference, Step] => [each, stepOf(each)])
  return Promise.all([...steps, ...pending].map(async ([difference, { action, what }]) => ({
    at: difference.at, sentence: `${lineOf(difference)} ${what}`, action,
    documents: 'type' in action ? await store.count(selectionOf(action.type)) : 0,
  })))

  function stepOf(difference: Difference): Step {
    const [typeName, name] = difference.at.split('.') as [string, string | undefined]
    const type = declared.model.documents.get(typeName)
    const field = fieldAt(declared.model, difference.at)
    const old = name === undefined ? undefined : before?.documents[typeName]?.fields[name]
    if (classes[difference.change] === 'recompute') return { action: { does: 'recompute' }, what: 'Rewritten in every document, from the documents that it comes from.' }
    if (!type) return stop('Quire cannot migrate objects inside of documents. Change it back.')
    switch (difference.change) {
      case 'perhaps renamed': return renamed(type, difference.at, old?.storage.at)
      case 'other property': return field && 'at' in field.storage && old?.storage.at !== undefined && old.storage.at !== field.storage.at ? moved(type, old.storage.at, field.storage.at) : stop(unsupported)
      case 'new value': return filled(type, field, difference.at)
      case 'other value': return old && field && (old.target !== field.target || old.shape !== field.shape) ? converted(type, field, old.shape) : filled(type, field, difference.at)
      default: return stop(unsupported)
    }
  }

  function renamed(type: DocumentType, at: string, from: string | undefined): Step {
    const to = answers.renamed.get(at)
    if (answers.dropped.has(at)) return { action: { does: 'record' }, what: 'Dropped: documents keep the property, and nothing reads it.' }
    if (to === undefined) return stop(`Say which: --renamed ${at}=NEW moves the values, --dropped ${at} leaves them.`)
    const field = type.fields.get(to)
    return field && 'at' in field.storage && from !== undefined ? moved(type, from, field.storage.at) : stop(`${type.name} has no stored field ${to}. Name one.`)
  }

  function filled(type: DocumentType, field: Field | undefined, at: string): Step {
    const value = answers.defaults.get(at)
    if (!field?.leaf || field.shape !== 'one' || !('at' in field.storage)) return stop('Make it nullable, or write a value into every document first.')
    if (value === undefined) return stop(`Give a value for them: --default ${at}=VALUE. Or make it nullable.`)
    const { at: property } = field.storage
    if (!(conversionTo(field.target)?.(value)?.value === value)) return stop(`The default ${JSON.stringify(value)} is no ${field.target}. Give one that is.`)
    return { action: { does: 'fill', type, at: property, value }, what: `Documents that lack it get ${JSON.stringify(value)}.` }
  }
}

interface Step {
  readonly action: Action
  readonly what: string
}

const unsupported = 'Quire cannot migrate this yet. Change it back, or copy the documents into a new store with "quire import".'

function stop(what: string): Step {
  return { action: { does: 'stop' }, what }
}

function moved(type: DocumentType, from: string, to: string): Step {
  if (partitionProperties(type).some((property) => property === from || property === to)) return stop('It is part of the partition key, which cannot change. Change it back.')
  return { action: { does: 'move', type, from, to }, what: `The property "${from}" becomes "${to}" in every document.` }
}

function converted(type: DocumentType, field: Field, shape: string): Step {
  if (!field.leaf || field.shape !== 'one' || shape !== 'one' || !('at' in field.storage) || !conversionTo(field.target)) return stop(unsupported)
  if (partitionProperties(type).includes(field.storage.at)) return stop('It is part of the partition key, which cannot change. Change it back.')
  return { action: { does: 'convert', type, at: field.storage.at, target: field.target }, what: `Values become ${field.target}.` }
}
