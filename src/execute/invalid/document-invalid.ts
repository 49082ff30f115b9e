// The error of a stored document that does not fit its schema. It names the document, the field, what was found and what to
// do; the value itself is shown in development only, and the log has neither the value nor the id.

import { ClientVisibleError } from '../../errors.ts'
import { jsonType } from '../../model/json/json-type.ts'

/** A document, as errors name it. */
export interface NamedDocument {
  readonly type: string
  readonly id: string
}

export interface Misfit {
  /** The `Type.field` whose value does not fit. */
  readonly coordinate: string
  /** The GraphQL type that it should have, as written in the schema. */
  readonly expected: string
  /** `undefined` where the property is missing. */
  readonly value: unknown
  /** The document that holds the value; undefined if an object of the schema's own resolvers does. */
  readonly document: NamedDocument | undefined
  /** The document that the value was copied from, if it is in a snapshot. */
  readonly copyOf?: NamedDocument | undefined
  /** What to do about it. */
  readonly advice: string
}

export class DocumentInvalidError extends ClientVisibleError {
  override readonly name = 'DocumentInvalidError'
  override readonly code = 'DOCUMENT_INVALID'
  readonly #misfit: Misfit
  readonly #showsValue: boolean

  constructor(misfit: Misfit, showsValue: boolean) {
    super(sentence(misfit, misfit.document ? `A ${misfit.document.type}` : 'An object', misfit.copyOf && `its snapshot of a ${misfit.copyOf.type}`, jsonType(misfit.value)))
    this.#misfit = misfit
    this.#showsValue = showsValue
  }

  override get clientMessage(): string {
    const { document, copyOf, value } = this.#misfit
    const found = jsonType(value)
    const shown = this.#showsValue && value !== undefined && value !== null ? `${found} ${shortened(JSON.stringify(value))}` : found
    return sentence(this.#misfit, document ? `${document.type} ${document.id}` : 'An object', copyOf && `its snapshot of ${copyOf.type} ${copyOf.id}`, shown)
  }
}

function sentence({ coordinate, expected, advice }: Misfit, document: string, copy: string | undefined, found: string): string {
  return `${document} does not fit its schema: ${copy ? `in ${copy}, ` : ''}${coordinate} is ${found} where the type is ${expected}. ${advice}`
}

const shownLength = 60

function shortened(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text
}
