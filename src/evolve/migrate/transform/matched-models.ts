// Matches the old model with the new one: for each type and field, which old one it continues. They have the same name, or the user said that
// one was renamed, or both are stored in the same property.

import type { Json } from '../../../model/json/json.ts'
import type { DocumentType, Field, Model, ObjectType } from '../../../model/model.ts'
import { objectType } from '../../../model/model.ts'
import { storageTraits } from '../../../model/storages.ts'
import type { Body } from '../../../model/json/json.ts'

/** What the user says, because two declarations cannot tell it. */
export interface Answers {
  /** By `Type.field` as it was: the new name of the field. */
  readonly renamed: ReadonlyMap<string, string>
  /** Fields that are really gone, as `Type.field`. */
  readonly dropped: ReadonlySet<string>
  /** By `Type.field`: the value for documents that lack it, or a function of the document. */
  readonly defaults: ReadonlyMap<string, Default>
}

export type Default = Json | DefaultFunction

/** Declared as a method, whose parameter may be narrower: the document as `quire codegen` writes its type. */
type DefaultFunction = { fill(document: Body): unknown }['fill']

export class MatchedModels {
  readonly old: Model
  readonly now: Model
  readonly #answers: Answers

  constructor(old: Model, now: Model, answers: Answers) {
    this.old = old
    this.now = now
    this.#answers = answers
  }

  /** The document type whose documents become those of this one; undefined for a new one. */
  oldDocument(now: DocumentType): DocumentType | undefined {
    return this.old.documents.get(now.name)
      ?? this.old.documents.values().find((old) => !this.now.documents.has(old.name) && old.container === now.container && old.discriminator === now.discriminator)
  }

  /** The old type of the same objects, a document type or a contained one. */
  oldObject(now: ObjectType): ObjectType | undefined {
    const document = this.now.documents.get(now.name)
    return (document && this.oldDocument(document)) ?? objectType(this.old, now.name)
  }

  oldField({ owner, name, storage }: Field): Field | undefined {
    const now = objectType(this.now, owner)!
    const old = this.oldObject(now)
    if (!old) return undefined
    const renamed = [...this.#answers.renamed].find(([from, to]) => from.startsWith(`${old.name}.`) && to === name && !now.fields.has(from.slice(old.name.length + 1)))
    if (renamed) return old.fields.get(renamed[0].slice(old.name.length + 1))
    if (old.fields.has(name)) return old.fields.get(name)
    if (!('at' in storage)) return undefined
    const { holds } = storageTraits[storage.kind]
    return old.fields.values().find((each) => !now.fields.has(each.name) && 'at' in each.storage && each.storage.at === storage.at && storageTraits[each.storage.kind].holds === holds)
  }

  /** The field that continues an old one. */
  nowField(old: Field): Field | undefined {
    return [...this.now.documents.values(), ...this.now.contained.values()].flatMap((type) => [...type.fields.values()]).find((field) => this.oldField(field) === old)
  }

  default(coordinate: string): Default | undefined {
    return this.#answers.defaults.get(coordinate)
  }
}
