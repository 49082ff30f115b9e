// What the rules of a schema let one viewer do. Everything that has to know asks here, and what it says of types
// and fields is the same for all viewers of the same name; only what is somebody's own depends on who it is.

import { GraphQLError, type ASTNode } from 'graphql'
import { numericId } from '../model/keys/numeric-id.ts'
import type { DocumentType, Field, Model, ObjectType } from '../model/model.ts'
import { ownerField, ownerIsNumeric, ownerPath, shownBy, type Rule } from '../model/rule.ts'
import { scalarAt } from '../store/conditions.ts'
import type { Path, Scalar } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import { narrower, standingOf, type Standing } from './rule-verdict.ts'
import type { Viewer } from './viewer.ts'

/** Documents are somebody's own that have this value at this path. */
export interface Own {
  readonly path: Path
  readonly value: Scalar
}

export interface AccessOptions {
  readonly model: Model
  /** Whether rules about reading hold, and those about writing. */
  readonly reads: boolean
  readonly writes: boolean
  /** Whether there is any way to find out who asks. */
  readonly identifies: boolean
}

/** What follows from the rules for everyone alike. */
export interface Ruled {
  /** All roles that any rule names. */
  readonly roles: readonly string[]
  /** The types that not everyone may read, by their container and what tells them from others in it. */
  readonly types: ReadonlyMap<string, DocumentType>
}

export class Access {
  readonly viewer: Viewer | undefined
  /** Equal for viewers whom every rule treats alike, but for what is their own. */
  readonly name: string
  readonly #options: AccessOptions
  readonly #ruled: Ruled
  readonly #standings = new Map<Rule, Standing>()

  constructor(options: AccessOptions, ruled: Ruled, viewer: Viewer | undefined) {
    this.#options = options
    this.#ruled = ruled
    this.viewer = viewer
    this.name = viewer ? `+${ruled.roles.flatMap((role, index) => (viewer.roles.has(role) ? [index] : [])).join('.')}` : '-'
  }

  /** Documents, or contained objects, of a type; or a field by itself, of documents that are there. */
  reading({ readable }: Pick<ObjectType | Field, 'readable'>): Standing {
    return readable && this.#options.reads ? this.#standing(readable) : 'free'
  }

  /** What a field leads to, or counts. */
  seeing(field: Field): Standing {
    return shownBy(this.#options.model, field).map((each) => this.reading(each)).reduce(narrower, 'free')
  }

  /** Whether a list may be filtered or ordered by a field: what is in a list tells what it is filtered by. */
  findsBy(type: DocumentType, field: Field): boolean {
    if (this.reading(field) !== 'free') return false
    // Whoever sees only their own knows what all of them have in common.
    return this.seeing(field) === 'free' || (this.reading(type) === 'own' && type.readable?.owner === field.name)
  }

  /** Which documents of a type there are for this viewer, where those are only their own. */
  own(type: DocumentType): Own | undefined {
    return type.readable?.owner !== undefined && this.reading(type) === 'own' ? this.#own(type, type.readable) : undefined
  }

  /** The type of such documents, where not everyone may read it. */
  typeIn(container: string, discriminator: string | undefined): DocumentType | undefined {
    return this.#ruled.types.size === 0 ? undefined : this.#ruled.types.get(placeName(container, discriminator))
  }

  /** Whether a document is there for this viewer. */
  sees(type: DocumentType, body: Body): boolean {
    const reading = this.reading(type)
    return reading === 'own' ? isAmong(this.#own(type, type.readable!), body) : reading === 'free'
  }

  /** Whether a root field may be asked for, or called. */
  asking(coordinate: string): Standing {
    const { model, reads, writes } = this.#options
    const rule = model.roots.get(coordinate)
    if (!coordinate.startsWith('Mutation.')) return rule && reads ? this.#standing(rule) : 'free'
    if (!writes) return 'free'
    if (rule) return this.#standing(rule)
    const [, typeName] = /^Mutation\.(?:create|update|delete)(.+)$/.exec(coordinate) ?? []
    const type = typeName === undefined ? undefined : model.documents.get(typeName)
    // What a mutation of the domain's own writes is only known when it does. Whoever may write nothing need not try.
    return type ? this.writing(type) : [...model.documents.values()].some((each) => this.writing(each) !== 'refused') ? 'free' : 'refused'
  }

  /** Documents of a type, where no mutation says otherwise. */
  writing({ writable }: DocumentType): Standing {
    if (!this.#options.writes) return 'free'
    return writable ? this.#standing(writable) : 'refused'
  }

  /** Whether a document is this viewer's own to write. */
  owns(type: DocumentType, rule: Rule, body: Body): boolean {
    return isAmong(this.#own(type, rule), body)
  }

  /** The rule of a mutation, where it has one of its own. */
  callRule(coordinate: string): Rule | undefined {
    return this.#options.writes ? this.#options.model.roots.get(coordinate) : undefined
  }

  /** Said to whoever is refused, whether or not there is anything to see. */
  refusal(coordinate: string, nodes?: readonly ASTNode[]): GraphQLError {
    const { identifies } = this.#options
    const writes = coordinate.startsWith('Mutation.')
    const message = this.viewer ? `${coordinate} is not for you to ${writes ? 'call' : 'read'}.`
      : identifies ? `${coordinate} is not for everyone. Send a token that says who you are.`
      : writes ? 'Writes are closed: this gateway does not know who is asking.' : `${coordinate} is not for everyone, and this gateway does not know who is asking.`
    return new GraphQLError(message, { extensions: { code: this.viewer ? 'FORBIDDEN' : 'UNAUTHENTICATED' }, ...(nodes ? { nodes } : {}) })
  }

  #standing(rule: Rule): Standing {
    let standing = this.#standings.get(rule)
    if (standing === undefined) this.#standings.set(rule, (standing = standingOf(rule, this.viewer)))
    return standing
  }

  #own(type: DocumentType, rule: Rule): Own {
    const field = ownerField(type, { ...rule, owner: rule.owner!.split('.').at(-1) })!
    const { id } = this.viewer!
    return { path: ownerPath(field)!, value: ownerIsNumeric(field) ? numericId(id) : id }
  }
}

function isAmong({ path, value }: Own, body: Body): boolean {
  return scalarAt(path, body) === value
}

export function placeName(container: string, discriminator: string | undefined): string {
  return `${container}\0${discriminator ?? ''}`
}
