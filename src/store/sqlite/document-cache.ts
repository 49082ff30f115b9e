// What has been read from a store and is still so: documents, parsed and frozen, and the answers of
// queries. Whoever owns it says when something was written; nothing here is ever out of date by itself.
//
// Its size is in bytes, as good as the heap can be estimated from JSON. Documents live in two
// generations: what is used is in the young one, and when that is half of all, the old one is let go
// and the young one becomes it. So a hit costs a lookup, and no list has to be kept in order. Answers
// point at documents and would keep them alive: they are let go with the old generation.

import { KeyMap } from '../../model/keys/key-map.ts'
import type { Key } from '../../model/keys/key.ts'
import type { Scalar } from '../query.ts'
import type { StoredDocument } from '../store.ts'

/** A document, and the text of its key as the store writes it. */
interface Kept {
  readonly container: string
  readonly text: string
  readonly document: StoredDocument
  /** Until when it is known to be what is stored. */
  epoch: number
}

/** What a question has been answered with about one value, and the documents in it. */
export interface AnswerAbout {
  readonly value: Scalar
  readonly answer: unknown
  readonly documents: readonly StoredDocument[]
}

export class DocumentCache {
  readonly #mostDocumentBytes: number
  readonly #mostAnswerBytes: number
  readonly #mostBytesInAnswer: number
  #young = new Generation()
  #old = new Generation()
  readonly #answers = new Map<string, Answers>()
  #answerBytes = 0
  readonly #writes = new Map<string, number>()
  #epoch = 0
  #moment = 0

  /** A quarter of it is for answers. */
  constructor(bytes: number) {
    this.#mostDocumentBytes = bytes * 0.75
    this.#mostAnswerBytes = bytes * 0.25
    // Fewer than a generation holds, so that all of an answer's documents are in one of the two.
    this.#mostBytesInAnswer = bytes * 0.25
  }

  /** Roughly what it holds. */
  get bytes(): number {
    return this.#young.bytes + this.#old.bytes + this.#answerBytes
  }

  /** Another one each time something may have been written. */
  get moment(): number {
    return this.#moment
  }

  /** The same for some containers alone. */
  version(containers?: Iterable<string>): number {
    if (!containers) return this.#moment
    let writes = this.#epoch
    for (const container of containers) writes += this.#writes.get(container) ?? 0
    return writes
  }

  /** The document behind a key, if that is known. */
  document(container: string, key: Key): StoredDocument | undefined {
    const kept = this.#young.at(container, key) ?? this.#renew(this.#old.at(container, key))
    return kept?.epoch === this.#epoch ? kept.document : undefined
  }

  /** The document that a row holds, if it is the one with this etag: then the row need not be parsed. `stored` if that row is what is stored now. */
  unchanged(container: string, text: string, etag: string, stored: boolean): StoredDocument | undefined {
    const kept = this.#young.byEtag.get(etag) ?? this.#renew(this.#old.byEtag.get(etag))
    if (kept?.text !== text || kept.container !== container) return undefined
    if (stored) kept.epoch = this.#epoch
    return kept.document
  }

  keep(container: string, text: string, document: StoredDocument): void {
    this.#drop(container, document.key)
    this.#add({ container, text, document, epoch: this.#epoch })
  }

  answer(container: string, question: string): unknown {
    return this.#answers.get(container)?.byQuestion.get(question)
  }

  /** What is known of a question that is asked about many values at once. */
  answersAbout(container: string, question: string): ReadonlyMap<Scalar, unknown> | undefined {
    return this.#answers.get(container)?.byValue.get(question)
  }

  /** Together with the documents in it, which have been kept already. */
  keepAnswer(container: string, question: string, answer: unknown, documents: readonly StoredDocument[]): void {
    this.#forAnswers(container, documents, () => 200 + 2 * question.length + 16 * documents.length)?.byQuestion.set(question, answer)
  }

  /** Value by value: the next one to ask may ask about some of them and others, and lists of values are without number. */
  keepAnswersAbout(container: string, question: string, about: readonly AnswerAbout[]): void {
    const documents = about.flatMap((each) => each.documents)
    const ofValues = about.reduce((sum, { value }) => sum + 150 + 2 * String(value).length, 16 * documents.length)
    const answers = this.#forAnswers(container, documents, () => ofValues + (this.answersAbout(container, question) ? 0 : 200 + 2 * question.length))
    if (!answers) return
    let byValue = answers.byValue.get(question)
    if (!byValue) answers.byValue.set(question, (byValue = new Map()))
    for (const { value, answer } of about) byValue.set(value, answer)
  }

  /** The document has been written or deleted. */
  written(container: string, key: Key): void {
    this.#moment++
    this.#writes.set(container, (this.#writes.get(container) ?? 0) + 1)
    this.#drop(container, key)
    this.#answerBytes -= this.#answers.get(container)?.bytes ?? 0
    this.#answers.delete(container)
  }

  /** Anything may have been written: a document is believed again once its etag has been seen. */
  distrust(): void {
    this.#moment++
    this.#epoch++
    this.#forgetAnswers()
  }

  /** Where answers with these documents go, once there is room for them; undefined when they are too large. */
  #forAnswers(container: string, documents: readonly StoredDocument[], bytes: () => number): Answers | undefined {
    const inIt = documents.reduce((sum, document) => sum + weightOf(document), 0)
    if (inIt > this.#mostBytesInAnswer || bytes() > this.#mostAnswerBytes / 4) return undefined
    if (this.#answerBytes + bytes() > this.#mostAnswerBytes) this.#forgetAnswers()
    const more = bytes()
    let answers = this.#answers.get(container)
    if (!answers) this.#answers.set(container, (answers = { bytes: 0, byQuestion: new Map(), byValue: new Map() }))
    answers.bytes += more
    this.#answerBytes += more
    return answers
  }

  #forgetAnswers(): void {
    this.#answers.clear()
    this.#answerBytes = 0
  }

  #drop(container: string, key: Key): void {
    this.#young.remove(container, key)
    this.#old.remove(container, key)
  }

  #renew(kept: Kept | undefined): Kept | undefined {
    if (kept) {
      this.#old.remove(kept.container, kept.document.key)
      this.#add(kept)
    }
    return kept
  }

  #add(kept: Kept): void {
    this.#young.add(kept)
    if (this.#young.bytes <= this.#mostDocumentBytes / 2) return
    this.#old = this.#young
    this.#young = new Generation()
    this.#forgetAnswers()
  }
}

/** The answers about one container, which any write to it may change. */
interface Answers {
  bytes: number
  readonly byQuestion: Map<string, unknown>
  readonly byValue: Map<string, Map<Scalar, unknown>>
}

class Generation {
  readonly byEtag = new Map<string, Kept>()
  readonly #byKey = new Map<string, KeyMap<Kept>>()
  bytes = 0

  at(container: string, key: Key): Kept | undefined {
    return this.#byKey.get(container)?.get(key)
  }

  add(kept: Kept): void {
    let byKey = this.#byKey.get(kept.container)
    if (!byKey) this.#byKey.set(kept.container, (byKey = new KeyMap<Kept>()))
    byKey.set(kept.document.key, kept)
    this.byEtag.set(kept.document.etag, kept)
    this.bytes += weightOf(kept.document)
  }

  remove(container: string, key: Key): void {
    const kept = this.at(container, key)
    if (!kept) return
    this.#byKey.get(container)!.delete(key)
    this.byEtag.delete(kept.document.etag)
    this.bytes -= weightOf(kept.document)
  }
}

/** On the heap: small documents of a few hundred bytes were found to take somewhat more than twice their JSON, and the maps around them the rest. */
function weightOf({ bytes }: StoredDocument): number {
  return 400 + 3 * bytes
}
