// Guesses the fields that point at other documents: references, lists of them, and snapshots where everything beside the id is a copy.

import type { FoundPointer } from '../profile/find-pointers.ts'
import type { ValueProfile } from '../profile/value-profile.ts'
import { counted, percent, shareOf } from './evidence.ts'
import { isRequired, type Holder, type Wanted } from './holder.ts'
import { placeOf } from './guess.ts'
import { functionFor, type GuessedFunction } from './derived.ts'
import { fieldNameOf, pointerNames } from './names.ts'

/** The max that directives have by default. */
const defaultMax = { ids: 1000, copies: 100 }

/** Undefined if the property points at nothing. */
export function pointerField(holder: Holder, property: string, value: ValueProfile, holders: number): Wanted | undefined {
  const { guess, type, path } = holder
  const at = (...below: string[]): FoundPointer | undefined => guess.pointerAt(type, [...path, property, ...below])
  const [one, list] = [at(), at('*')]
  if (one && value.values > 0) return reference(holder, property, one, false, isRequired(holder, value, holders) && one.found === one.lookedUp)
  if (list && value.lists === value.values) return reference(holder, property, list, true, false, value)
  if (!holder.isDocument) return undefined
  const [copy, copies] = [at('id'), at('*', 'id')]
  if (copy && value.objects === value.values) return snapshot(holder, property, copy, value, false, isRequired(holder, value, holders) && copy.found === copy.lookedUp)
  return copies && value.lists === value.values && value.elements!.objects === value.elements!.values ? snapshot(holder, property, copies, value, true, false) : undefined
}

function reference({ guess, isDocument }: Holder, property: string, pointer: FoundPointer, isList: boolean, required: boolean, value?: ValueProfile): Wanted {
  const target = guess.nameOf(pointer.target)
  const max = value && value.lengths.max > defaultMax.ids ? `, max: ${guess.roomFor(value.lengths.max)}` : ''
  const inverse = isList && isDocument ? guess.inverseFor(pointer) : undefined
  const numeric = pointer.isNumeric ? ', numeric: true' : ''
  const names = pointerNames(property, target, isList, pointer.target.container.idFrom)
  return {
    names: isList ? [guess.pluralName(names[0]!, property), ...names] : names,
    isPointer: true,
    isList,
    text: (_, coordinateAt) => {
      const mirrored = inverse && coordinateAt(placeOf(inverse.pointer.holder, inverse.pointer.path.slice(0, 1)))
      return `${isList ? `[${target}!]!` : `${target}${required ? '!' : ''}`} @reference(at: ${JSON.stringify(property)}${max}${numeric}${mirrored === undefined ? '' : `, inverseOf: "${mirrored}"`})`
    },
    evidence: [foundIn(pointer), ...(inverse ? [`lists those that point here, in ${shareOf(inverse.mirrored, inverse.compared, 'comparisons')}`] : [])],
  }
}

/** Quire rewrites a snapshot as a whole, so that all of it must be copies. */
function snapshot({ guess }: Holder, property: string, pointer: FoundPointer, value: ValueProfile, isList: boolean, required: boolean): Wanted | undefined {
  const copied = copiedFields(pointer)
  const object = isList ? value.elements!.object! : value.object!
  if (!copied || pointer.isNumeric || object.properties.get('id')!.values !== object.objects || object.isOpen) return undefined
  const max = isList && value.lengths.max > defaultMax.copies ? `, max: ${guess.roomFor(value.lengths.max)}` : ''
  const target = guess.nameOf(pointer.target)
  for (const { name, compute } of copied) if (compute) guess.derive(pointer.target, name, compute)
  return {
    names: [fieldNameOf(property), `${fieldNameOf(property)}Document`],
    isPointer: true,
    isList,
    text: () => `${isList ? `[${target}!]!` : `${target}${required ? '!' : ''}`} @snapshot(at: ${JSON.stringify(property)}, fields: [${copied.map(({ name }) => JSON.stringify(name)).join(', ')}]${max})`,
    evidence: [foundIn(pointer), ...copied.map(({ name, evidence }) => `${name} ${evidence}`)],
  }
}

interface Copied {
  readonly name: string
  readonly evidence: string
  readonly compute?: GuessedFunction
}

/** The part of the copies that must be as their source. The rest has drifted, and `quire check --repair` copies it again. */
const enoughEqual = 0.9

/** Undefined if something is not copied. */
export function copiedFields({ copies, target }: FoundPointer): Copied[] | undefined {
  if (!copies) return undefined
  const found = [...copies.properties].map(([name, { equal, drifted, inOriginals }]): Copied | undefined => {
    const isField = fieldNameOf(name) === name && !['nodeId', 'etag', 'type'].includes(name)
    if (!isField || (inOriginals > 0 && equal < enoughEqual * copies.pairs.length)) return undefined
    if (inOriginals > 0) return { name, evidence: drifted === 0 ? `is as in the source in all ${counted(equal)} compared` : `differs from the source in ${percent(drifted / copies.pairs.length)} of ${counted(copies.pairs.length)} compared` }
    const compute = target.properties.properties.has(name) ? undefined : functionFor(name, copies.pairs)
    return compute && { name, compute, evidence: `is ${compute.evidence}, in ${counted(copies.pairs.length)} compared` }
  })
  return found.every((each) => each !== undefined) ? found : undefined
}

function foundIn({ found, lookedUp, target }: FoundPointer): string {
  return `${found === lookedUp ? `all ${counted(lookedUp)}` : `${percent(found / lookedUp)} of ${counted(lookedUp)}`} values that were looked up are ids in ${target.name}`
}
