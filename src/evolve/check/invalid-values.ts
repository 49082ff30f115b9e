// Checks the values of a document against the schema: required values, types, max lengths of lists, and the partition. Nothing is
// read, and nothing can be repaired here: only the owner of the data knows the right value.

import { isEnumType, isLeafType, isListType, isNonNullType, type GraphQLLeafType, type GraphQLOutputType } from 'graphql'
import { jsonType } from '../../model/json/json-type.ts'
import { isObject, type Body } from '../../model/json/json.ts'
import { partitionText } from '../../model/keys/key.ts'
import { partitionFrom } from '../../model/keys/partition.ts'
import { objectType, type DocumentType, type Field, type ObjectType } from '../../model/model.ts'
import { holdsIds, isPointer } from '../../model/pointers.ts'
import { scalarCalled } from '../../model/scalars.ts'
import { itemsViolation, violationOf, type Violation } from '../../model/values/constraint.ts'
import { storageTraits } from '../../model/storages.ts'
import { servedSchema } from '../../plan/explain/explain.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { isResolved } from '../../relations/shape/stored-shape.ts'
import type { StoredDocument } from '../../store/store.ts'
import { placeOf, type Finding } from './finding.ts'

export type ValueCheck = (type: DocumentType, document: StoredDocument) => Finding[]

/** Prepared once for a check. `storedAlone` leaves out what is computed from the documents: it need not be right yet. */
export function createValueCheck(declaration: Declaration, storedAlone = false): ValueCheck {
  const { model, prepared } = declaration
  const schema = servedSchema(declaration)
  const typeOf = (field: Field): GraphQLOutputType | undefined => {
    const type = schema.getType(field.owner)
    return type && 'getFields' in type ? (type.getFields()[field.name]?.type as GraphQLOutputType | undefined) : undefined
  }

  function inObject(type: ObjectType, body: Body, found: Found): void {
    for (const field of type.fields.values()) inField(type, field, body, found)
  }

  function inField(type: ObjectType, field: Field, body: Body, found: Found): void {
    const { storage, shape } = field
    const declared = typeOf(field)
    if (storedAlone && (!('at' in storage) || (holdsIds(field) && !isPointer(field)))) return
    if (!('at' in storage)) {
      const computed = prepared(field)
      if (declared && !isResolved(field) && 'value' in computed) inDerived(field, computed.value, body, declared, found)
      return
    }
    const value = body[storage.at]
    if (holdsIds(field)) {
      if (shape === 'one' && field.required && isNothing(value)) found.missing(field, value, declared)
    } else if (!declared || storageTraits[storage.kind].holds === 'entries') {
      // The newest entries in a document, or those of a bucket. Their number and place are checked with the whole list.
      if (Array.isArray(value)) for (const each of value) if (isObject(each)) inContained(field, each, found)
      return
    } else if (storageTraits[storage.kind].holds === 'value') {
      inValue(field, value, shape === 'list' && isNothing(value) ? nullableOf(declared) : declared, found)
    }
    if (field.constraint) inConstraint(field, value, found)
    const max = 'max' in storage ? storage.max : undefined
    if (max !== undefined && Array.isArray(value) && value.length > max) found.overfull(field, value.length, max, model.documents.has(type.name))
  }

  function inValue(field: Field, value: unknown, type: GraphQLOutputType, found: Found): void {
    if (isNonNullType(type)) {
      if (isNothing(value)) found.missing(field, value, typeOf(field))
      else inValue(field, value, type.ofType, found)
    } else if (isNothing(value)) return
    else if (isListType(type)) {
      if (Array.isArray(value)) for (const each of value) inValue(field, each, type.ofType, found)
      else found.invalid(field, value, typeOf(field))
    } else if (isLeafType(type)) {
      if (!leafFits(type, value)) found.invalid(field, value, typeOf(field))
    } else inContained(field, value, found)
  }

  function inContained(field: Field, value: unknown, found: Found): void {
    const shapes = model.unions.get(field.target)
    const type = !isObject(value) ? undefined : shapes ? shapes.find(({ has }) => has !== undefined && value[has] !== undefined) : objectType(model, field.target)
    if (type) inObject(type, value as Body, found)
    else if (!isObject(value) || shapes) found.invalid(field, value, typeOf(field))
  }

  return (type, document) => {
    const found = new Found(type, document.key.id)
    found.findings.push(...inPartition(type, document))
    inObject(type, document.body, found)
    return found.findings
  }
}

/** An absent list is an empty one; an absent value has no bounds. */
function inConstraint(field: Field, value: unknown, found: Found): void {
  const values: readonly unknown[] = field.shape === 'one' ? [value] : Array.isArray(value) && field.leaf ? value : []
  for (const violation of [field.shape === 'list' ? itemsViolation(field.constraint!, value) : undefined, ...values.map((each) => violationOf(field.constraint!, each))]) if (violation) found.violated(field, violation)
}

/** A function may expect more of a document than it has. */
function inDerived(field: Field, compute: (body: Body) => unknown, body: Body, declared: GraphQLOutputType, found: Found): void {
  try {
    const value = compute(body)
    if (isNonNullType(declared) && isNothing(value)) found.notComputed(field, `it is ${jsonType(value ?? null)}, and its type is ${String(declared)}`)
  } catch (error) {
    found.notComputed(field, error instanceof Error ? error.message : String(error))
  }
}

class Found {
  readonly findings: Finding[] = []
  readonly #type: DocumentType
  readonly #id: string

  constructor(type: DocumentType, id: string) {
    this.#type = type
    this.#id = id
  }

  missing(field: Field, value: unknown, type: GraphQLOutputType | undefined): void {
    this.#add('missing', field, `is ${jsonType(value)}, and its type is ${String(type)}. Repair cannot invent it: write a value, or make the field nullable.`)
  }

  invalid(field: Field, value: unknown, type: GraphQLOutputType | undefined): void {
    this.#add('invalid', field, `is ${jsonType(value)} where the type is ${String(type ?? field.target)}. Repair cannot convert it: correct the document, or the type of the field.`)
  }

  overfull(field: Field, length: number, max: number, isDocument: boolean): void {
    this.#add('overfull', field, `has ${length} elements, and its max is ${max}. Repair removes none of them: raise max${isDocument ? ', or store the list in documents of its own' : ''}.`)
  }

  violated(field: Field, { is }: Violation): void {
    this.#add('violated', field, `${is}. Repair cannot choose a value: correct the document, or the @constraint.`)
  }

  notComputed(field: Field, why: string): void {
    this.#add('invalid', field, `cannot be computed: ${why}. Correct the document or the function.`)
  }

  #add(kind: Finding['kind'], field: Field, what: string): void {
    const sentence = `${placeOf(field, this.#type, this.#id)} ${what}`
    // Elements of one list are reported once.
    if (!this.findings.some((each) => each.sentence === sentence)) this.findings.push({ kind, at: field.coordinate, id: this.#id, sentence, repair: 'impossible' })
  }
}

function inPartition(type: DocumentType, { key: { id, partition }, body }: StoredDocument): Finding[] {
  const expected = partitionFrom(type, body)
  if (!expected || partitionText(expected) === partitionText(partition)) return []
  const sentence = `${type.name} ${id} is not in the partition that its properties give, so lookups by key do not find it. Repair cannot move it: write the property of the partition key as it was, or write the document again.`
  return [{ kind: 'misplaced', at: type.name, id, sentence, repair: 'impossible' }]
}

function leafFits(type: GraphQLLeafType, value: unknown): boolean {
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) !== undefined
  return scalarCalled(type.name)?.fits(value) ?? true
}

function nullableOf(type: GraphQLOutputType): GraphQLOutputType {
  return isNonNullType(type) ? type.ofType : type
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
