// One attempt at a schema: what all guesses share. It knows the names of types, which types objects have, and what was taken back in earlier attempts.

import { fieldNamed, pluralOf } from '../../model/api/plurals.ts'
import type { Path } from '../../store/query.ts'
import type { FoundInverse } from '../profile/find-inverses.ts'
import type { FoundPointer } from '../profile/find-pointers.ts'
import type { Profile } from '../profile/profile-database.ts'
import type { TypeProfile } from '../profile/type-profile.ts'
import type { ValueProfile } from '../profile/value-profile.ts'
import type { GuessedFunction } from './derived.ts'
import { placeOf, type GuessedType, type TakenBack } from './guess.ts'
import { Names, typeNameOf } from './names.ts'

export class SchemaGuess {
  readonly takenBack: TakenBack
  /** Object types that are not documents, by name. */
  readonly objects = new Map<string, GuessedType>()
  readonly unions = new Map<string, readonly string[]>()
  readonly enums = new Map<string, readonly string[]>()
  /** Fields that are computed, by type. */
  readonly derived = new Map<TypeProfile, Map<string, GuessedFunction>>()
  usesJson = false
  readonly #profile: Profile
  readonly #names = Names.ofTypes()
  readonly #typeNames = new Map<TypeProfile, string>()
  readonly #pointers = new Map<string, FoundPointer>()
  readonly #indexes = new Map<TypeProfile, number>()

  constructor(profile: Profile, documents: readonly TypeProfile[], takenBack: TakenBack) {
    this.#profile = profile
    this.takenBack = takenBack
    for (const type of documents) {
      const name = typeNameOf(type.type ?? type.container.name)
      const wanted = [name, typeNameOf(`${type.container.name} ${type.type ?? 'document'}`), `${name}Document`]
      this.#typeNames.set(type, this.#names.take(...wanted.slice(Math.min(takenBack.get(type.name) ?? 0, 2))))
    }
    for (const pointer of profile.pointers) if (this.#typeNames.has(pointer.target)) this.#pointers.set(placeOf(pointer.holder, pointer.path), pointer)
  }

  nameOf(type: TypeProfile): string {
    return this.#typeNames.get(type)!
  }

  /** Whether all documents of its container were read. */
  isComplete({ container }: TypeProfile): boolean {
    const found = this.#profile.containers.find((each) => each.container === container)!
    return found.total !== undefined && found.read >= found.total
  }

  pointerAt(type: TypeProfile, path: Path): FoundPointer | undefined {
    return this.#pointers.get(placeOf(type, path))
  }

  inverseFor(list: FoundPointer): FoundInverse | undefined {
    return this.#profile.inverses.find((each) => each.list === list)
  }

  /** The name of a list of pointers: `makers` of `makerIds`. */
  pluralName(base: string, property: string): string {
    return base === property ? base : pluralOf(base)
  }

  /** A max with room to grow: at least twice the longest list. */
  roomFor(longest: number): number {
    for (let unit = 10; ; unit *= 10) for (const step of [1, 2, 5]) if (step * unit >= 2 * longest) return step * unit
  }

  derive(target: TypeProfile, field: string, compute: GuessedFunction): void {
    this.derived.set(target, (this.derived.get(target) ?? new Map<string, GuessedFunction>()).set(field, compute))
  }

  enumType(wanted: string, values: readonly string[]): string {
    const name = this.#names.take(wanted)
    this.enums.set(name, values)
    return name
  }

  /** The same type for objects of the same fields, if they have the same name. */
  objectType(type: GuessedType, owner: string): string {
    const known = this.objects.get(type.name)
    if (known && textOf(known) === textOf(type)) return type.name
    const name = this.#names.take(type.name, `${owner}${type.name}`)
    this.objects.set(name, { ...type, name })
    return name
  }

  union(wanted: string, members: readonly string[], owner: string): string {
    const same = [...this.unions].find(([, known]) => known.join() === members.join())
    if (same) return same[0]
    const name = this.#names.take(wanted, `${owner}${wanted}`)
    this.unions.set(name, members)
    return name
  }

  /** As the database has it. Where it indexes everything or says nothing: values that people look for or order by. */
  isIndexed(type: TypeProfile, property: string, value: ValueProfile, isEnum: boolean): boolean {
    const { isIndexed } = type.container
    if (isIndexed) return isIndexed([property])
    const indexed = this.#indexes.get(type) ?? 0
    const isMoment = value.forms.date + value.forms.time === value.values && value.texts > 0
    const isSought = value.forms.url === 0 && value.longestText <= 100 && value.values > type.documents / 2 && soughtNames.test(property)
    if (indexed === maxIndexes || !(isEnum || isMoment || isSought)) return false
    this.#indexes.set(type, indexed + 1)
    return true
  }

  get rootNames(): Names {
    return new Names([...this.#typeNames.values()].map(fieldNamed))
  }
}

const maxIndexes = 6
const soughtNames = /name|title|label|code|symbol|mail|slug|year|date|category|country|city|rating|price|rank/i

function textOf({ directives, fields, leftOut }: GuessedType): string {
  return JSON.stringify([directives, leftOut, fields.map(({ name, text }) => [name, text(() => undefined)])])
}
