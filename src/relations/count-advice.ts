// Advice for a list that is found by query: count it on request or store the number with `@counted`? It depends on how
// often its length is asked for and how often it changes.

import { comesFrom, type Field } from '../model/model.ts'
import { countCharge, hundredths, readCharge, writeCharge } from '../store/cost-model.ts'
import type { Usage } from './kind.ts'

export function countAdvice(field: Field, { counted, sourceChanges, holderBytes, siblings }: Usage): string[] {
  if (counted === 0) return []
  const kept = siblings.find((one) => comesFrom(one, 'list') && !('function' in one.storage) && one.storage.relation === field.name)
  const counting = counted * countCharge()
  // Each time an entry is added or removed, the holder is read, recounted and written.
  const keeping = sourceChanges * (readCharge(holderBytes) + countCharge() + writeCharge(holderBytes, holderBytes))
  const asked = `totalCount is asked for ${some(counted, 'time')} an hour, which is ${amount(counting)} RU`
  if (kept) return [`${asked}. ${kept.coordinate} stores the number: ask for that instead.`]
  if (keeping >= counting) return [`${asked}. Storing the number would take ${amount(keeping)} RU: keep counting on request.`]
  const name = `countOf${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`
  return [`${asked}. Storing the number would take ${amount(keeping)} RU: declare ${name}: Int! @counted(relation: "${field.name}"), and ask for that.`]
}

/** Whether what is stored of a list is worth its writes. */
export function storedCountAdvice({ operations, rewritten, holderBytes }: Pick<Usage, 'operations' | 'rewritten' | 'holderBytes'>): string[] {
  if (rewritten === 0) return []
  const keeping = `keeping it in sync wrote ${some(rewritten, 'document')} an hour, which is ${amount(rewritten * writeCharge(holderBytes, holderBytes))} RU`
  return operations > 0 ? [`Asked for in ${some(operations, 'operation')} an hour; ${keeping}.`] : [`No operation asked for it, and ${keeping}. Remove it if no client needs it.`]
}

/** "1 page", "2.5 pages". */
export function some(number: number, one: string): string {
  return `${amount(number)} ${one}${hundredths(number) === 1 ? '' : 's'}`
}

export function amount(number: number): string {
  return hundredths(number).toLocaleString('en-US')
}
