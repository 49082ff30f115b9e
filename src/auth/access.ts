// What the rules of a schema allow one viewer. Verdicts on types and fields depend only on the viewer's roles; which
// documents are the viewer's own depends on the viewer's id.

import type { ASTNode, GraphQLError } from 'graphql'
import { generatedMutationAt } from '../model/api/generated-mutations.ts'
import { numericId } from '../model/keys/numeric-id.ts'
import type { DocumentType, Field, Model, ObjectType } from '../model/model.ts'
import { ownerField, ownerIsNumeric, ownerPath, shownBy, type Rule } from '../model/rule.ts'
import { scalarAt } from '../store/conditions.ts'
import type { Path, Scalar } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import { createRefusal } from './refusal.ts'
import { narrower, verdictOf, type Verdict } from './rule-verdict.ts'
import type { Viewer } from './viewer.ts'

/** The viewer's own documents are those with this value at this path. */
export interface Own {
  readonly path: Path
  readonly value: Scalar
}

export interface AccessOptions {
  readonly model: Model
  /** Whether the rules about reading are enforced, and those about writing. */
  readonly reads: boolean
  readonly writes: boolean
  /** Whether authentication is configured. */
  readonly identifies: boolean
}

/** The verdicts that are the same for every viewer. */
export interface RuleIndex {
  /** The roles that any rule names. */
  readonly roles: readonly string[]
  /** The types with a rule about reading, by `containerKey`. */
  readonly types: ReadonlyMap<string, DocumentType>
  /** The rules about reading that name an owner. */
  readonly owned: readonly Rule[]
}

export class Access {
  readonly viewer: Viewer | undefined
  /** Equal for viewers with the same verdict on every rule; their own documents still differ. */
  readonly name: string
  readonly #options: AccessOptions
  readonly #index: RuleIndex
  readonly #verdicts = new Map<Rule, Verdict>()

  constructor(options: AccessOptions, index: RuleIndex, viewer: Viewer | undefined) {
    this.#options = options
    this.#index = index
    this.viewer = viewer
    this.name = viewer ? `+${index.roles.flatMap((role, at) => (viewer.roles.has(role) ? [at] : [])).join('.')}` : '-'
  }

  /** Equal for viewers who are shown the same documents and fields. */
  get audience(): string {
    const differsByOwner = this.#options.reads && this.#index.owned.some((rule) => this.#verdict(rule) === 'own')
    return differsByOwner ? JSON.stringify([this.name, this.viewer!.id]) : this.name
  }

  /** Whether any documents are guarded by a rule about reading. */
  get guardsDocuments(): boolean {
    return this.#options.reads && this.#index.types.size > 0
  }

  /** Documents or contained objects of a type; or one field of documents that the viewer may read. */
  reading({ readable }: Pick<ObjectType | Field, 'readable'>): Verdict {
    return readable && this.#options.reads ? this.#verdict(readable) : 'free'
  }

  /** What a field leads to or counts. */
  seeing(field: Field): Verdict {
    return shownBy(this.#options.model, field).map((each) => this.reading(each)).reduce(narrower, 'free')
  }

  /** Whether the viewer may filter or order a list by a field: the result would reveal the field's values. */
  canFilterBy(type: DocumentType, field: Field): boolean {
    if (this.reading(field) !== 'free') return false
    // A viewer who sees only own documents already knows the owner that all of them share.
    return this.seeing(field) === 'free' || (this.reading(type) === 'own' && type.readable?.owner === field.name)
  }

  /** Set if the viewer may see only own documents of a type. */
  own(type: DocumentType): Own | undefined {
    return type.readable?.owner !== undefined && this.reading(type) === 'own' ? this.#own(type, type.readable) : undefined
  }

  /** The type of these documents, if it has a rule about reading. */
  typeIn(container: string, discriminator: string | undefined): DocumentType | undefined {
    return this.#index.types.size === 0 ? undefined : this.#index.types.get(containerKey(container, discriminator))
  }

  /** Whether the viewer may see a document that a write or the feed has at hand. Queries exclude others by a condition: read/owner-filter.ts. */
  sees(type: DocumentType, body: Body): boolean {
    const reading = this.reading(type)
    return reading === 'own' ? isOwn(this.#own(type, type.readable!), body) : reading === 'free'
  }

  /** A root field. */
  asking(coordinate: string): Verdict {
    const { model, reads, writes } = this.#options
    const rule = model.roots.get(coordinate)
    if (!coordinate.startsWith('Mutation.')) return rule && reads ? this.#verdict(rule) : 'free'
    if (!writes) return 'free'
    if (rule) return this.#verdict(rule)
    const type = generatedMutationAt(model, coordinate)?.type
    // What a custom mutation writes is known only when it runs. Refuse it early if the viewer may write nothing at all.
    return type ? this.writing(type) : [...model.documents.values()].some((each) => this.writing(each) !== 'refused') ? 'free' : 'refused'
  }

  /** Documents of a type, unless the mutation has a rule of its own. */
  writing({ writable }: DocumentType): Verdict {
    if (!this.#options.writes) return 'free'
    return writable ? this.#verdict(writable) : 'refused'
  }

  /** Whether the viewer owns a document, by the rule that applies. */
  owns(type: DocumentType, rule: Rule, body: Body): boolean {
    return isOwn(this.#own(type, rule), body)
  }

  /** The rule of a mutation itself, if it has one. */
  callRule(coordinate: string): Rule | undefined {
    return this.#options.writes ? this.#options.model.roots.get(coordinate) : undefined
  }

  /** The same error whether or not there is any document to see. `target` is the type that a root field leads to. */
  refusal(coordinate: string, nodes?: readonly ASTNode[], target?: ObjectType): GraphQLError {
    const { model, identifies } = this.#options
    return createRefusal({ model, identifies, viewer: this.viewer, coordinate, target, nodes })
  }

  #verdict(rule: Rule): Verdict {
    let verdict = this.#verdicts.get(rule)
    if (verdict === undefined) this.#verdicts.set(rule, (verdict = verdictOf(rule, this.viewer)))
    return verdict
  }

  #own(type: DocumentType, rule: Rule): Own {
    const field = ownerField(type, { ...rule, owner: rule.owner!.split('.').at(-1) })!
    const { id } = this.viewer!
    return { path: ownerPath(field)!, value: ownerIsNumeric(field) ? numericId(id) : id }
  }
}

function isOwn({ path, value }: Own, body: Body): boolean {
  return scalarAt(path, body) === value
}

export function containerKey(container: string, discriminator: string | undefined): string {
  return `${container}\0${discriminator ?? ''}`
}
