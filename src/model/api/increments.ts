// The fields that `updateX(input: { increment: … })` can add to: numbers in the document itself that clients may write.

import { comesFrom, partitionProperties, type DocumentType, type Field } from '../model.ts'
import type { StorageFrom } from '../storages.ts'

/** Cached, because every update asks. */
export function incrementables(type: DocumentType): readonly Field<StorageFrom<'client'>>[] {
  let known = ofTypes.get(type)
  if (!known) {
    const located = new Set(partitionProperties(type))
    known = [...type.fields.values()].filter((field): field is Field<StorageFrom<'client'>> =>
      comesFrom(field, 'client') && field.shape === 'one' && (field.target === 'Int' || field.target === 'Float') && !located.has(field.storage.at))
    ofTypes.set(type, known)
  }
  return known
}

/** Empty where a type has no such field. */
export function incrementSdl(type: DocumentType): string {
  const fields = incrementables(type)
  if (fields.length === 0) return ''
  return `"What to add to numbers of a ${type.name}." input ${incrementInput(type)} { ${fields.map(({ name, target }) => `"What to add to ${name}; less than 0 subtracts." ${name}: ${target}`).join(' ')} }`
}

export function incrementArgumentSdl(type: DocumentType): string {
  if (incrementables(type).length === 0) return ''
  return `"Adds to numbers, whatever other writers add at the same time. A number that is null counts as 0." increment: ${incrementInput(type)}`
}

function incrementInput({ name }: DocumentType): string {
  return `${name}Increment`
}

const ofTypes = new WeakMap<DocumentType, readonly Field<StorageFrom<'client'>>[]>()
