// What outgrows its document: lists that are nearly as long as they may get, and lists that would make
// their document larger than a store keeps if they were as long as they may get.

import type { DocumentType, Field, Model } from '../../../model/model.ts'
import { kindOf } from '../../../relations/index.ts'
import type { Tools } from '../../../relations/kind.ts'
import type { Body } from '../../../model/json/json.ts'
import { hoursOf, type Workload } from '../../../observe/workload/workload.ts'
import { mean, type Facts } from '../sample/document-facts.ts'

export interface Outgrowing {
  readonly field: string
  readonly sentence: string
}

/** From this share of what is allowed on, it is time to say so. */
const nearly = 0.8

export function outgrowing(workload: Workload, { model, tools }: { readonly model: Model; readonly tools: Tools }, facts: Facts): Outgrowing[] {
  return [...model.documents.values()].flatMap((type) => [...type.fields.values()].flatMap((field) => {
    const max = maxOf(field)
    if (max === undefined) return []
    const seen = workload.types[type.name]?.lists[field.name]
    const longest = Math.max(seen?.longest ?? 0, ...facts.bodies(type.name).map((body) => entriesOf(field, body).length))
    const full = documentBytes(type, field, facts) + fullBytes(field, tools, facts)
    const limit = facts.sample.documentBytes
    const pace = seen && seen.grown > 0 ? ` It grows by ${(seen.grown / hoursOf(workload)).toLocaleString('en-US', { maximumFractionDigits: 1 })} entries an hour, over all documents.` : ''
    return [
      ...(longest >= nearly * max ? [{ field: field.coordinate, sentence: `The longest list has ${longest} entries of the ${max} that are allowed.${pace} ${instead(field, model)}` }] : []),
      ...(full >= nearly * limit ? [{ field: field.coordinate, sentence: `With all ${max} entries that are allowed its document would be ${megabytes(full)} of the ${megabytes(limit)} that a document can be.${pace} ${instead(field, model)}` }] : []),
    ]
  }))
}

/** What a list weighs when it is as long as it may get. */
export function fullBytes(field: Field, tools: Tools, facts: Facts): number {
  const entry = kindOf(field).point ? facts.entryBytes(field, tools) : mean(facts.bodies(field.owner).flatMap((body) => entriesOf(field, body)).map((each) => Buffer.byteLength(JSON.stringify(each))))
  return (maxOf(field) ?? 1) * (entry + 1)
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`
}

/** The rest of the document. */
function documentBytes(type: DocumentType, field: Field, facts: Facts): number {
  return facts.bytes(type) - mean(facts.bodies(type.name).map((body) => Buffer.byteLength(JSON.stringify(entriesOf(field, body)))))
}

function instead(field: Field, { documents }: Model): string {
  return documents.has(field.target)
    ? `Let ${field.target} point here and declare ${field.name}: ${field.target}Connection! @reverse(of: "${field.target}.…").`
    : `Keep the newest few and declare ${field.name}: ${field.target}Connection! @bucketed(…).`
}

function maxOf({ shape, storage }: Field): number | undefined {
  return shape === 'list' && 'max' in storage ? storage.max : undefined
}

function entriesOf({ storage }: Field, body: Body): readonly unknown[] {
  const list = 'at' in storage ? body[storage.at] : undefined
  return Array.isArray(list) ? list : []
}
