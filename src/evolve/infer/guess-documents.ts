// Guesses the document types: where they are stored, their fields, and what others say of them: reverses, counts, buckets and computed fields.

import { fieldNamed, pluralOf } from '../../model/api/plurals.ts'
import { quireProperties, reservedProperties } from '../../model/check/check-properties.ts'
import { tenantPath } from '../../store/tenants/check-tenanted.ts'
import { isTopLevel } from '../profile/find-inverses.ts'
import { typesIn, type Profile } from '../profile/profile-database.ts'
import type { TypeProfile } from '../profile/type-profile.ts'
import { bucketsIn, type GuessedBuckets } from './buckets.ts'
import { counted, many, shareOf } from './evidence.ts'
import { fieldsOf, named } from './guess-fields.ts'
import type { Unnamed } from './holder.ts'
import { placeOf, type GuessedField, type GuessedType, type TakenBack } from './guess.ts'
import { fieldNameOf, Names, typeNameOf } from './names.ts'
import { partitionKeyOf, type GuessedPartitionKey } from './partition-keys.ts'
import { SchemaGuess } from './schema-guess.ts'

export interface GuessedDocument extends GuessedType {
  readonly profile: TypeProfile
}

export interface Guessed {
  readonly guess: SchemaGuess
  readonly documents: readonly GuessedDocument[]
}

export function guessDocuments(profile: Profile, takenBack: TakenBack): Guessed {
  const types = typesIn(profile.containers)
  const buckets = bucketsIn(types)
  const served = types.filter((type) => type.withoutId < type.documents && !buckets.some(({ part }) => part === type))
  const guess = new SchemaGuess(profile, served, takenBack)
  const unnamed = served.map((type) => unnamedOf(guess, type, types.filter(({ container }) => container === type.container), buckets))
  const drafts = unnamed.map((each) => draftOf(guess, each))
  for (const draft of drafts) addReverses(guess, profile, draft, drafts)
  for (const draft of drafts) draft.fields = withCounts(profile, draft, buckets)
  return { guess, documents: drafts.map((draft) => documentOf(guess, profile, draft)) }
}

interface UnnamedDraft {
  readonly type: TypeProfile
  readonly key: GuessedPartitionKey
  readonly unnamed: readonly Unnamed[]
  readonly leftOut: readonly string[]
}

interface Draft extends UnnamedDraft {
  readonly names: Names
  fields: GuessedField[]
}

/** Fields are named when all types are known: snapshots of other types copy computed fields by their names, so those come first. */
function draftOf(guess: SchemaGuess, draft: UnnamedDraft): Draft {
  const names = Names.ofFields()
  const derived = derivedFields(guess, draft.type, names)
  return { ...draft, names, fields: [...named(draft.unnamed, names), ...derived] }
}

function unnamedOf(guess: SchemaGuess, type: TypeProfile, sharing: readonly TypeProfile[], buckets: readonly GuessedBuckets[]): UnnamedDraft {
  const key = partitionKeyOf(type, sharing, buckets)
  const list = buckets.find(({ owner }) => owner === type)
  const leftOut: string[] = [...(type.container.leftOut ?? [])]
  const holder = { guess, type, owner: guess.nameOf(type), path: [], isDocument: true }
  const reserved = [...type.properties.properties].filter(([name]) => Object.hasOwn(reservedProperties, name) || (type.container.isTenanted === true && name === tenantPath[0]))
  // What databases and Quire write themselves is not missed.
  const isMissed = (name: string): boolean => !name.startsWith('_') || (type.container.isForeign === true && quireProperties.has(name))
  for (const [name, value] of reserved) if (isMissed(name)) leftOut.push(`${name}, in ${shareOf(value.present, type.documents, 'documents')}: ${reservedProperties[name]}.`)
  const without = new Set([...key.filled, ...reserved.map(([name]) => name), ...(type.type === undefined ? [] : ['type']), ...(list ? [list.at] : [])])
  const fields = fieldsOf(holder, type.properties, without, leftOut)
  const lacking = key.needed.filter((property) => !type.properties.properties.has(property)).map((property): Unnamed => ({
    property, names: [fieldNameOf(property)], place: placeOf(type, [property]), isPointer: false, text: (name) => `String${name === property ? '' : ` @stored(at: ${JSON.stringify(property)})`}`, evidence: ['part of the partition key, which no document has'],
  }))
  const bucketed = list && (guess.takenBack.get(placeOf(type, [list.at])) ?? 0) === 0 ? [bucketField(guess, holder, list)] : []
  const id = fields.find(({ property }) => property === 'id')!
  const idFrom = type.container.idFrom
  const ids: Unnamed = { ...id, text: () => 'ID!', evidence: idFrom === undefined ? [] : [idFrom === '' ? 'the documents have no id; they are numbered' : `from ${idFrom}, which is different in all documents`] }
  return { type, key, leftOut, unnamed: [ids, ...fields.filter((field) => field !== id), ...lacking, ...bucketed] }
}

function bucketField(guess: SchemaGuess, holder: Parameters<typeof fieldsOf>[0], { owner, at, field, recent, size, key, part, evidence }: GuessedBuckets): Unnamed {
  const entries = part.properties.properties.get('entries')!.elements!.object!
  const leftOut: string[] = []
  const name = typeNameOf(field)
  const fields = named(fieldsOf({ ...holder, type: part, path: ['entries', '*'], owner: name, isDocument: false }, entries, new Set(['number']), leftOut), new Names([]))
  const entry = guess.objectType({ name, directives: '', evidence: [], fields, leftOut }, holder.owner)
  return {
    names: [field], isPointer: false, property: at, place: placeOf(owner, [at]), isList: true, evidence: [evidence],
    text: () => `${entry}Connection! @bucketed(at: ${JSON.stringify(at)}, recent: ${recent}, size: ${size}, key: ${JSON.stringify(key)}, type: ${JSON.stringify(part.type)})`,
  }
}

/** A connection for each pointer at the type, unless a list mirrors it. */
function addReverses(guess: SchemaGuess, profile: Profile, draft: Draft, drafts: readonly Draft[]): void {
  const pointing = profile.pointers.filter((pointer) => pointer.target === draft.type && isTopLevel(pointer) && !profile.inverses.some((inverse) => inverse.pointer === pointer || inverse.list === pointer))
  for (const pointer of pointing) {
    const from = drafts.find(({ type }) => type === pointer.holder)
    const field = from?.fields.find(({ property }) => property === pointer.path[0])
    const place = placeOf(draft.type, ['pointed at by', ...pointer.path, pointer.holder.name])
    if (!from || !field || !/@(reference|snapshot)\(/.test(field.text(() => undefined)) || (guess.takenBack.get(place) ?? 0) > 0) continue
    const owner = guess.nameOf(pointer.holder)
    const plural = pluralOf(fieldNamed(owner))
    const order = momentOf(from)
    draft.fields.push({
      name: draft.names.take(plural, `${plural}By${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`),
      place,
      text: () => `${owner}Connection! @reverse(of: "${owner}.${field.name}"${order === undefined ? '' : `, orderBy: "${order}", descending: true`})`,
      evidence: [`the ${plural} whose ${field.name} is this${order === undefined ? '' : ', newest first'}`],
    })
  }
}

/** The only time of a document, which its lists are ordered by. */
function momentOf({ type, fields }: Draft): string | undefined {
  const times = [...type.properties.properties].filter(([, value]) => value.forms.time > 0 && value.forms.time === value.values && value.values === type.documents)
  return times.length === 1 ? fields.find(({ property }) => property === times[0]![0])?.name : undefined
}

/** Numbers that are the length of a list, or that count the documents of a reverse. */
function withCounts(profile: Profile, { type, fields }: Draft, buckets: readonly GuessedBuckets[]): GuessedField[] {
  const list = buckets.find(({ owner }) => owner === type)
  return fields.map((field) => {
    const { property, name } = field
    const value = property === undefined ? undefined : type.properties.properties.get(property)
    if (!value || value.integers === 0 || value.integers !== value.values || !/^Int!?( |$)/.test(field.text(() => undefined))) return field
    const equal = [...(type.lengthsEqual.get(property!) ?? [])].find(([at, count]) => count === value.values && value.values === type.documents && isCounted(property!, at))
    const pointing = profile.counts.find((each) => each.holder === type && each.property === property)
    const reverse = pointing && fields.find(({ place }) => place === placeOf(type, ['pointed at by', ...pointing.pointer.path, pointing.pointer.holder.name]))
    const bucketed = list && property === `countOf${list.field.charAt(0).toUpperCase()}${list.field.slice(1)}` ? fields.find(({ property: at }) => at === list.at) : undefined
    const relation = bucketed ?? (equal && fields.find(({ property: at }) => at === equal[0])) ?? reverse
    if (!relation) return field
    const evidence = bucketed ? 'the number of all entries' : relation === reverse ? `their number, in all ${counted(pointing!.compared)} compared` : `the length of ${relation.name}, in ${shareOf(value.values, type.documents, 'documents')}`
    const index = field.text(() => undefined).endsWith(' @indexed') ? ' @indexed' : ''
    return { ...field, evidence: [evidence], text: () => `Int! @counted(relation: "${relation.name}"${name === property ? '' : `, at: ${JSON.stringify(property)}`})${index}` }
  })

  /** Whether it is a list of the schema, and of more than one length, unless the name says that it is counted. */
  function isCounted(number: string, at: string): boolean {
    const { lengths } = type.properties.properties.get(at)!
    return (!lengths.isConstant || (lengths.max > 0 && /count|number|total/i.test(number))) && fields.some((field) => field.property === at && field.isList === true && at !== list?.at)
  }
}

function derivedFields(guess: SchemaGuess, type: TypeProfile, names: Names): GuessedField[] {
  return [...(guess.derived.get(type) ?? [])].map(([name, compute]) => {
    const isAlwaysThere = compute.uses.length > 0 && compute.uses.every((property) => type.properties.properties.get(property)?.values === type.documents)
    return { name: names.take(name), place: placeOf(type, ['computed', name]), derived: compute, text: () => `String${isAlwaysThere ? '!' : ''} @derived`, evidence: [compute.evidence] }
  })
}

function documentOf(guess: SchemaGuess, profile: Profile, { type, key, fields, leftOut }: Draft): GuessedDocument {
  const name = guess.nameOf(type)
  const { read, total, untyped } = profile.containers.find(({ container }) => container === type.container)!
  const plural = (guess.takenBack.get(`plural ${type.name}`) ?? 0) > 0 ? `${fieldNamed(name)}List` : undefined
  const given = [`container: ${JSON.stringify(type.container.name)}`, ...(key.argument === undefined ? [] : [`partitionKey: ${key.argument}`]), ...(type.type === undefined ? [] : [`type: ${JSON.stringify(type.type)}`]), ...(plural === undefined ? [] : [`plural: "${plural}"`])]
  return {
    name, profile: type, fields,
    directives: ` @document(${given.join(', ')})`,
    evidence: [
      `${many(type.documents, 'documents')} in ${type.name}; ${read === total ? 'all were read' : `a sample: ${counted(read)} of ${total === undefined ? 'an unknown number' : counted(total)} documents of the container were read`}`,
      ...(key.evidence === undefined ? [] : [`partition key: ${key.evidence}`]),
    ],
    leftOut: [...leftOut, ...(untyped > 0 ? [`${many(untyped, 'documents')} of the container without a type, or with one of too many, which cannot be served.`] : []), ...(type.withoutId > 0 ? [`${many(type.withoutId, 'documents')} without a text as id, which cannot be served.`] : [])],
  }
}
