// Guesses the fields of objects from the profile of their properties: scalars, contained objects and unions, lists, and references at any depth.
// What fits nothing else is JSON, so that every value can be served.

import type { Path } from '../../store/query.ts'
import { idFormOf } from '../profile/text-formats.ts'
import type { ObjectProfile, ValueProfile } from '../profile/value-profile.ts'
import { counted, shareOf } from './evidence.ts'
import { placeOf, type GuessedField } from './guess.ts'
import { fieldNameOf, isStorable, Names, typeNameOf } from './names.ts'
import { pointerField } from './guess-pointers.ts'
import { isRequired, type Holder, type Unnamed, type Wanted } from './holder.ts'
import { scalarOf } from './scalars.ts'
import { shapesIn } from './shapes.ts'

/** What has to be known of objects to guess their fields. */
type Properties = Pick<ObjectProfile, 'properties' | 'objects'>

export function fieldsOf(holder: Holder, object: Properties, without: ReadonlySet<string>, leftOut: string[]): Unnamed[] {
  return [...object.properties].flatMap(([property, value]) => {
    if (without.has(property)) return []
    const place = placeOf(holder.type, [...holder.path, property])
    const taken = holder.guess.takenBack.get(place) ?? 0
    if (taken > 1 || !isStorable(property)) {
      leftOut.push(`${JSON.stringify(property)}, in ${shareOf(value.present, object.objects, holder.isDocument ? 'documents' : 'objects')}: no field can be stored under this name.`)
      return []
    }
    const found = (taken === 0 ? pointerField(holder, property, value, object.objects) : undefined) ?? plainField(holder, property, value, object.objects)
    const { evidence, ...rest } = found
    const kinds = holder.isDocument && property === 'type' && value.distinct.counts && value.distinct.counts.size > 1 ? [`documents with the same properties, so they are one type here: ${[...value.distinct.counts.keys()].join(', ')}`] : []
    return [{ property, place, isPointer: false, names: [fieldNameOf(property)], ...rest, evidence: [...evidence, ...kinds, ...presence(value, object.objects, holder)] }]
  })
}

/** Gives each field a name: properties that keep theirs first, pointers last. */
export function named(fields: readonly Unnamed[], names: Names): GuessedField[] {
  const given = new Map(fields.toSorted((one, other) => rank(one) - rank(other)).map((field) => [field, names.take(...field.names)]))
  return fields.map((field) => {
    const { names: _names, isPointer: _isPointer, text, ...rest } = field
    const name = given.get(field)!
    return { ...rest, name, text: (coordinateAt) => text(name, coordinateAt) }
  })
}

function rank({ isPointer, names: [first], property }: Unnamed): number {
  return isPointer ? 2 : first === property ? 0 : 1
}

function presence({ present, nulls, lists }: ValueProfile, holders: number, { isDocument }: Holder): string[] {
  const missing = holders - (present - nulls)
  return missing > 0 && lists < present - nulls + 1 ? [`in ${shareOf(holders - missing, holders, isDocument ? 'documents' : 'objects')}`] : []
}

function plainField(holder: Holder, property: string, value: ValueProfile, holders: number): Wanted {
  const { guess } = holder
  const required = isRequired(holder, value, holders) ? '!' : ''
  const stored = (name: string): string => (name === property ? '' : ` @stored(at: ${JSON.stringify(property)})`)
  if (value.lists > 0 && value.lists === value.values) {
    const elements = elementsOf(holder, property, value)
    const max = guess.roomFor(value.lengths.max)
    if (elements !== undefined) return { text: (name) => `${elements} @contained(${name === property ? '' : `at: ${JSON.stringify(property)}, `}max: ${max})`, isList: true, evidence: [growth(value)] }
  } else if (value.objects > 0 && value.objects === value.values) {
    const type = containedType(holder, [...holder.path, property], property, value.object)
    if (type !== undefined) return { text: (name) => `${type}${required}${name === property ? '' : ` @contained(at: ${JSON.stringify(property)})`}`, evidence: [] }
  } else {
    const scalar = scalarOf(property, value, guess.isComplete(holder.type))
    if (scalar) {
      const isOwn = property === 'id'
      const type = isOwn && scalar.type === 'String' ? 'ID' : scalar.type === 'enum' ? guess.enumType(`${holder.owner}${typeNameOf(fieldNameOf(property))}`, scalar.values!) : scalar.type
      const index = holder.isDocument && !isOwn && guess.isIndexed(holder.type, property, value, scalar.type === 'enum') ? ' @indexed' : ''
      return { text: (name) => `${type}${required}${stored(name)}${index}`, evidence: scalar.evidence === undefined ? [] : [scalar.evidence] }
    }
  }
  guess.usesJson = true
  return { text: (name) => `JSON${required}${stored(name)}`, evidence: [whyJson(value)] }
}

function growth({ lengths }: ValueProfile): string {
  return `at most ${counted(lengths.max)} ${lengths.max === 1 ? 'element' : 'elements'}${lengths.max === lengths.percentile(0.5) ? '' : `, half of the lists at most ${counted(lengths.percentile(0.5))}`}${lengths.max > 1000 ? '; a list that grows like this may be better bucketed' : ''}`
}

function elementsOf(holder: Holder, property: string, { elements }: ValueProfile): string | undefined {
  if (!elements || elements.values === 0) return undefined
  const required = elements.nulls === 0 ? '!' : ''
  if (elements.objects === elements.values) {
    const type = containedType(holder, [...holder.path, property, '*'], property, elements.object)
    return type === undefined ? undefined : `[${type}${required}]!`
  }
  const scalar = scalarOf(property, elements, holder.guess.isComplete(holder.type))
  return scalar && `[${scalar.type === 'enum' ? 'String' : scalar.type}${required}]!`
}

/** Undefined if the objects have no properties that could be fields, or too many. */
function containedType(holder: Holder, path: Path, property: string, object: ObjectProfile | undefined): string | undefined {
  if (!object || object.isOpen || isTableOfValues(object)) return undefined
  const name = typeNameOf(fieldNameOf(property))
  const shapes = shapesIn(object)
  if (!shapes) return objectType(holder, path, name, object, new Set())
  const members = shapes.map(({ has, properties, objects }) => {
    const others = new Set([...object.properties.keys()].filter((each) => !properties.includes(each)))
    return objectType(holder, path, typeNameOf(`${fieldNameOf(has)} ${name}`), { properties: object.properties, objects }, others, ` @shape(has: ${JSON.stringify(has)})`, [`${counted(objects)} of ${counted(object.objects)} objects have ${has}`])
  })
  return members.every((member) => member !== undefined) ? holder.guess.union(name, members, holder.owner) : undefined
}

function objectType(holder: Holder, path: Path, name: string, object: Properties, without: ReadonlySet<string>, directives = '', evidence: readonly string[] = []): string | undefined {
  const leftOut: string[] = []
  const inner: Holder = { ...holder, path, owner: name, isDocument: false }
  const fields = named(fieldsOf(inner, object, without, leftOut), new Names([]))
  return fields.length === 0 ? undefined : holder.guess.objectType({ name, directives, evidence, fields, leftOut }, holder.owner)
}

/** The names are values, such as ids or days: they look like that, or they are many, each in few objects. */
function isTableOfValues({ properties, objects }: ObjectProfile): boolean {
  const forms = new Set([...properties.keys()].map(idFormOf))
  const uses = [...properties.values()].reduce((sum, { present }) => sum + present, 0)
  return (properties.size > 2 && forms.size === 1 && /^(uuid|hex|digits|code|9)/.test([...forms][0]!)) || (properties.size > 20 && uses < 0.1 * properties.size * objects)
}

function whyJson(value: ValueProfile): string {
  if (value.values === 0) return 'always null'
  if (value.lists === value.values && (value.elements?.values ?? 0) === 0) return 'always an empty list'
  const kinds = [['texts', value.texts], ['numbers', value.integers + value.floats], ['truth values', value.booleans], ['objects', value.objects], ['lists', value.lists]] as const
  const found = kinds.filter(([, count]) => count > 0)
  return found.length > 1 ? `values of several types: ${found.map(([name, count]) => `${counted(count)} ${name}`).join(', ')}` : `${found[0]![0]} of no common shape`
}
