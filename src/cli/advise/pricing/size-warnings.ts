// Lists that outgrow their document: those that have nearly reached their max length, and those that at max length
// would make their document larger than the store allows.

import type { DocumentType, Field, Model } from '../../../model/model.ts'
import { kindOf } from '../../../relations/kinds.ts'
import type { KindContext } from '../../../relations/kind.ts'
import type { Body } from '../../../model/json/json.ts'
import { hoursOf, type Workload } from '../../../observe/workload/workload.ts'
import { mean, type DocumentStatistics } from '../sample/document-statistics.ts'

export interface SizeWarning {
  readonly field: string
  readonly sentence: string
}

/** From this share of the limit on, warn. */
const warnFrom = 0.8

export function sizeWarnings(workload: Workload, { model, kindContext }: { readonly model: Model; readonly kindContext: KindContext }, statistics: DocumentStatistics): SizeWarning[] {
  return [...model.documents.values()].flatMap((type) => [...type.fields.values()].flatMap((field) => {
    const max = maxOf(field)
    if (max === undefined) return []
    const seen = workload.types[type.name]?.lists[field.name]
    const longest = Math.max(seen?.longest ?? 0, ...statistics.bodies(type.name).map((body) => entriesOf(field, body).length))
    const full = documentBytes(type, field, statistics) + fullBytes(field, kindContext, statistics)
    const limit = statistics.sample.documentBytes
    const pace = seen && seen.grown > 0 ? ` It grows by ${(seen.grown / hoursOf(workload)).toLocaleString('en-US', { maximumFractionDigits: 1 })} entries per hour, over all documents.` : ''
    return [
      ...(longest >= warnFrom * max ? [{ field: field.coordinate, sentence: `The longest list has ${longest} of at most ${max} entries.${pace} ${instead(field, model)}` }] : []),
      ...(full >= warnFrom * limit ? [{ field: field.coordinate, sentence: `With ${max} entries, the max, its document would have ${megabytes(full)}; the store allows ${megabytes(limit)}.${pace} ${instead(field, model)}` }] : []),
    ]
  }))
}

/** The size of the list at its max length. */
export function fullBytes(field: Field, kindContext: KindContext, statistics: DocumentStatistics): number {
  const entry = kindOf(field).point ? statistics.entryBytes(field, kindContext) : mean(statistics.bodies(field.owner).flatMap((body) => entriesOf(field, body)).map((each) => Buffer.byteLength(JSON.stringify(each))))
  return (maxOf(field) ?? 1) * (entry + 1)
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`
}

/** The size of the document without the list. */
function documentBytes(type: DocumentType, field: Field, statistics: DocumentStatistics): number {
  return statistics.bytes(type) - mean(statistics.bodies(type.name).map((body) => Buffer.byteLength(JSON.stringify(entriesOf(field, body)))))
}

function instead(field: Field, { documents }: Model): string {
  return documents.has(field.target)
    ? `Let ${field.target} refer to this type instead, and declare ${field.name}: ${field.target}Connection! @reverse(of: "${field.target}.…").`
    : `Keep only the newest entries in the document, and declare ${field.name}: ${field.target}Connection! @bucketed(…).`
}

function maxOf({ shape, storage }: Field): number | undefined {
  return shape === 'list' && 'max' in storage ? storage.max : undefined
}

function entriesOf({ storage }: Field, body: Body): readonly unknown[] {
  const list = 'at' in storage ? body[storage.at] : undefined
  return Array.isArray(list) ? list : []
}
