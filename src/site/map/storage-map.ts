// The content of the storage map: a box for each document type, a row for each field that is not a plain value, and a line for
// each row that leads to another box. `map-layout.ts` decides where they are drawn.

import { Kind } from 'graphql'
import type { StorageKind } from '../../model/storages.ts'
import { comesFrom, type DocumentType, type Field, type Model, type ObjectType } from '../../model/model.ts'
import { vocabulary } from '../../model/sdl/read-sdl.ts'

export interface StorageMap {
  readonly boxes: readonly MapBox[]
  /** The kinds of relation in use, in the order of the directives' SDL. */
  readonly kinds: readonly MapKind[]
}

export interface MapBox {
  readonly type: string
  readonly container: string
  readonly partitionKey: string
  readonly rows: readonly MapRow[]
}

export interface MapRow {
  /** The field with its path through contained objects: `lines.item`. */
  readonly label: string
  readonly kind: StorageKind
  /** The type of the field's values. */
  readonly target: string
  /** Whether `target` has a box, so that the row has a line to it. */
  readonly leads: boolean
  /** Arguments of the directive worth showing. */
  readonly details: string
}

export interface MapKind {
  readonly name: string
  /** The first sentence of the directive's description. */
  readonly meaning: string
}

export function storageMap(model: Model): StorageMap {
  const boxes = [...model.documents.values()].map((type): MapBox => ({
    type: type.name,
    container: type.container,
    partitionKey: keyText(type),
    rows: rowsOf(type, model, [], new Set()),
  }))
  const used = new Set(boxes.flatMap(({ rows }) => rows.map(({ kind }) => kind)))
  return { boxes, kinds: meanings().filter(({ name }) => used.has(name as StorageKind)) }
}

/** A contained type that contains itself is expanded once. */
function rowsOf(type: ObjectType, model: Model, above: readonly string[], entered: ReadonlySet<string>): MapRow[] {
  return [...type.fields.values()].flatMap((field) => {
    if (isPlain(field)) return []
    const path = [...above, field.name]
    const inside = entered.has(field.target) ? [] : containedIn(model, field.target)
    return [rowOf(field, path, model), ...inside.flatMap((each) => rowsOf(each, model, path, new Set([...entered, field.target])))]
  })
}

function isPlain(field: Field): boolean {
  return field.leaf && comesFrom(field, 'client', 'document', 'copy')
}

function rowOf(field: Field, path: readonly string[], model: Model): MapRow {
  const members = model.unions.get(field.target)?.map(({ name }) => name)
  return {
    label: path.join('.'),
    // An object without a directive is stored inside its document.
    kind: comesFrom(field, 'client') ? 'contained' : field.storage.kind,
    target: members?.join(' | ') ?? field.target,
    leads: model.documents.has(field.target),
    details: detailsOf(field),
  }
}

function containedIn(model: Model, name: string): readonly ObjectType[] {
  const contained = model.contained.get(name)
  return contained ? [contained] : (model.unions.get(name) ?? [])
}

/** Numbers, lists and names of other fields; property names and defaults are left out. */
function detailsOf({ storage }: Field): string {
  const { kind: _, ...named } = storage
  return Object.entries(named).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'number' || Array.isArray(value)) return [`${name} ${[value].flat().join(', ')}`]
    return typeof value === 'string' && !['at', 'key', 'type', 'onDelete'].includes(name) ? [`${name} ${value}`] : []
  }).join(', ')
}

function keyText({ partitionKey: key }: DocumentType): string {
  if (key.form === 'paths') return key.paths.map((path) => `/${path.join('/')}`).join(', ')
  const suffix = key.suffix && (key.suffix.form === 'hashed' ? ` + hash of ${key.suffix.hashOf} in ${key.suffix.spread}` : ` + one of ${key.suffix.spread} at random`)
  return `${key.concat.join('-')}${suffix ?? ''}`
}

function meanings(): MapKind[] {
  return vocabulary.definitions.flatMap((node) => {
    if (node.kind !== Kind.DIRECTIVE_DEFINITION || !node.description) return []
    const [sentence = ''] = /^.*?[.:](?=\s|$)/s.exec(node.description.value) ?? []
    return [{ name: node.name.value, meaning: sentence.replaceAll(/\s+/g, ' ').replace(/:$/, '.') }]
  })
}
