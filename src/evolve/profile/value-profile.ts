// What is known of the values at one path of many documents: their JSON types, how often there is one, how long texts and lists are, which
// values there are, and the same of everything inside. Memory is bounded, however many documents are added.

import { isObject, type Body, type Json } from '../../model/json/json.ts'
import { scalarCalled } from '../../model/scalars.ts'
import { DistinctValues, hashOf, LowestHashes } from './distinct-values.ts'
import { ListLengths } from './list-lengths.ts'
import { textFormatOf, type TextFormat } from './text-formats.ts'

/** Deeper values are not looked into. */
const maxDepth = 8
/** An object with more property names is a table of its own, whose names are values. */
const maxProperties = 200
const maxShapes = 64
/** How many objects that have an id are kept. */
const keptObjects = 100
/** Longer texts count as different if their beginnings or their lengths differ. */
const comparedLength = 200

export class ValueProfile {
  /** How many holders have the property, null included. */
  present = 0
  nulls = 0
  texts = 0
  /** Whole numbers that GraphQL's Int can hold, and all other numbers. */
  integers = 0
  floats = 0
  booleans = 0
  objects = 0
  lists = 0
  readonly forms: Record<TextFormat, number> = { date: 0, time: 0, url: 0, other: 0 }
  longestText = 0
  min = Infinity
  max = -Infinity
  readonly distinct = new DistinctValues()
  readonly lengths = new ListLengths()
  /** Of all objects here. */
  object: ObjectProfile | undefined
  /** Of all elements of the lists here. */
  elements: ValueProfile | undefined
  readonly #depth: number

  constructor(depth: number) {
    this.#depth = depth
  }

  /** How many values there are. */
  get values(): number {
    return this.present - this.nulls
  }

  /** Whether it could not be looked into. */
  get isTooDeep(): boolean {
    return this.#depth >= maxDepth && this.objects + this.lists > 0
  }

  add(value: Json): void {
    this.present++
    if (value === null) this.nulls++
    else if (typeof value === 'string') this.#addText(value)
    else if (typeof value === 'number') this.#addNumber(value)
    else if (typeof value === 'boolean') {
      this.booleans++
      this.distinct.add(value)
    } else if (isObject(value)) {
      this.objects++
      if (this.#depth < maxDepth) (this.object ??= new ObjectProfile(this.#depth + 1)).add(value)
    } else this.#addList(value)
  }

  #addText(text: string): void {
    this.texts++
    this.longestText = Math.max(this.longestText, text.length)
    this.forms[textFormatOf(text)]++
    this.distinct.add(text.length <= comparedLength ? text : `${text.slice(0, comparedLength)}…${text.length}`)
  }

  #addNumber(number: number): void {
    if (scalarCalled('Int')!.fits(number)) this.integers++
    else this.floats++
    this.min = Math.min(this.min, number)
    this.max = Math.max(this.max, number)
    this.distinct.add(number)
  }

  #addList(list: readonly Json[]): void {
    this.lists++
    this.lengths.add(list.length)
    if (this.#depth >= maxDepth) return
    this.elements ??= new ValueProfile(this.#depth + 1)
    for (const each of list) this.elements.add(each)
  }
}

export class ObjectProfile {
  objects = 0
  readonly properties = new Map<string, ValueProfile>()
  /** Whether there are more property names than can be kept. */
  isOpen = false
  /** Objects with an id, each id once. */
  readonly #identified = new LowestHashes<Body>(keptObjects)
  /** How many objects have exactly these properties, not null; undefined if there are too many combinations. */
  shapes: Map<string, number> | undefined = new Map()
  readonly #depth: number

  constructor(depth: number) {
    this.#depth = depth
  }

  add(object: Body): void {
    this.objects++
    const names: string[] = []
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue
      if (value !== null) names.push(name)
      this.#at(name)?.add(value)
    }
    this.#addShape(names)
    const { id } = object
    if (this.#depth > 0 && (typeof id === 'string' || typeof id === 'number')) this.#identified.add(hashOf(String(id)), object)
  }

  identified(max: number): Body[] {
    return this.#identified.values(max)
  }

  #at(name: string): ValueProfile | undefined {
    const known = this.properties.get(name)
    if (known) return known
    if (this.properties.size === maxProperties) {
      this.isOpen = true
      return undefined
    }
    const added = new ValueProfile(this.#depth)
    this.properties.set(name, added)
    return added
  }

  #addShape(names: readonly string[]): void {
    if (!this.shapes) return
    const shape = JSON.stringify(names.toSorted())
    const count = this.shapes.get(shape)
    if (count === undefined && this.shapes.size === maxShapes) this.shapes = undefined
    else this.shapes.set(shape, (count ?? 0) + 1)
  }
}
