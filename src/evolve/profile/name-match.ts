// How well the name of a property fits the documents that its values may point at: `customerId` fits the container `customers`.

import { singularOf } from '../../model/api/plurals.ts'
import type { Path } from '../../store/query.ts'
import type { TypeProfile } from './type-profile.ts'

/** From 0 to 3: the same name, a part of it, only a name for an id, nothing. */
export function nameMatch(path: Path, { container, type }: TypeProfile): number {
  const names = path.filter((name) => name !== '*')
  const last = names.at(-1)!
  if (last === container.idFrom) return 3
  // The id of an object is named by the object.
  const named = last === 'id' && names.length > 1 ? names.at(-2)! : last
  const base = plain(singularOf(named.replace(idEnding, '')))
  const targets = [container.name, singularOf(container.name), ...(type === undefined ? [] : [type, singularOf(type)])].map(plain)
  // Some write `userid`, and others `paid`.
  if ([base, plain(named).replace(/ids?$/, '')].some((each) => each !== '' && targets.includes(each))) return 3
  if (base.length >= 3 && targets.some((target) => target.startsWith(base) || base.endsWith(target))) return 2
  return idEnding.test(last) || last === 'id' ? 1 : 0
}

/** `makerId`, `maker_id`, `maker-ids`, `makerRef`. */
export const idEnding = /(?<=.)([-_ .]([Ii][Dd]s?|refs?|keys?|uuid|guid)|Ids?|IDs?|Refs?|Keys?|Uuid|Guid)$/

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
