// Keeps the aggregates of a list to which an entry is appended. The entry and the list are written together, once.

import type { Body } from '../../model/json/json.ts'
import type { Field, Model } from '../../model/model.ts'
import { aggregatesOver, measuredIn, valueReader } from './aggregated-values.ts'
import { withAmount, withChange } from './stored-amount.ts'

/** The owner with the value of a new entry. `all` reads every entry, the new one included, where the difference alone is not exact. */
export async function withAppended(list: Field, owner: Body, entry: Body, all: () => Promise<readonly Body[]>, model: Model): Promise<Body> {
  let body = owner
  for (const field of aggregatesOver(list, model)) {
    const { storage } = field
    // An amount that was declared after the entries were written stays missing until all of them are looked at.
    if (body[storage.at] === undefined) continue
    body = withChange(storage, body, undefined, valueReader(field, model)(entry)) ?? withAmount(storage, body, measuredIn(field, model, await all()))
  }
  return body
}
