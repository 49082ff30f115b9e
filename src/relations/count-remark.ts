// Count when asked, or keep the number? What can be said of a list that is found and not held, from how
// often its length is asked for and how often it changes.

import { isStored, type Field } from '../model/model.ts'
import { countCharge, hundredths, readCharge, writeCharge } from '../store/cost-model.ts'
import type { Usage } from './kind.ts'

export function countRemark(field: Field, { counted, sourceChanges, holderBytes, siblings }: Usage): string[] {
  if (counted === 0) return []
  const kept = siblings.find((one) => isStored(one, 'counted') && one.storage.relation === field.name)
  const counting = counted * countCharge()
  // The holder is read and counted anew and written, each time something is added to its list or leaves it.
  const keeping = sourceChanges * (readCharge(holderBytes) + countCharge() + writeCharge(holderBytes, holderBytes))
  const asked = `totalCount is asked for ${some(counted, 'time')} an hour, which is ${amount(counting)} RU`
  if (kept) return [`${asked}. ${kept.coordinate} keeps the number: ask for that instead.`]
  if (keeping >= counting) return [`${asked}. Keeping the number would be ${amount(keeping)} RU: go on counting.`]
  const name = `countOf${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`
  return [`${asked}. Keeping the number would be ${amount(keeping)} RU: write ${name}: Int! @counted(relation: "${field.name}"), and ask for that.`]
}

/** "1 page", "2.5 pages". */
export function some(number: number, one: string): string {
  return `${amount(number)} ${one}${hundredths(number) === 1 ? '' : 's'}`
}

export function amount(number: number): string {
  return hundredths(number).toLocaleString('en-US')
}
