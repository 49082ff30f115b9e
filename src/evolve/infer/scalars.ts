// The type of plain values: a scalar, or an enum where there are few values that look like constants.

import { isGraphqlName } from './names.ts'
import { counted } from './evidence.ts'
import type { ValueProfile } from '../profile/value-profile.ts'

export interface GuessedScalar {
  readonly type: 'String' | 'Int' | 'Float' | 'Boolean' | 'enum'
  readonly evidence?: string
  /** Of an enum. */
  readonly values?: readonly string[]
}

/** Undefined if no scalar fits all values. A sample may lack rare constants, so that it has to be larger. */
export function scalarOf(name: string, value: ValueProfile, isComplete: boolean): GuessedScalar | undefined {
  const { values, texts, integers, floats, booleans, forms } = value
  if (values === 0) return undefined
  if (booleans === values) return { type: 'Boolean' }
  if (integers === values) return { type: 'Int', evidence: `whole numbers from ${counted(value.min)} to ${counted(value.max)}` }
  if (integers + floats === values) return { type: 'Float', evidence: `numbers from ${counted(value.min)} to ${counted(value.max)}` }
  if (texts !== values) return undefined
  const constants = values >= (isComplete ? minValues : minSampledValues) ? constantsIn(name, value) : undefined
  if (constants) return { type: 'enum', values: constants, evidence: `${constants.length} different values in ${counted(values)}` }
  if (forms.date === values) return { type: 'String', evidence: `dates such as ${String(value.distinct.sample(1)[0])}` }
  return forms.time === values ? { type: 'String', evidence: `times such as ${String(value.distinct.sample(1)[0])}` } : { type: 'String' }
}

const maxConstants = 12
/** Fewer values prove nothing. */
const minValues = 50
const minSampledValues = 1000
/** Names of properties that have constants, however they are written. */
const namesOfConstants = /^(status|state|kind|type|category|level|role|gender|currency|language|priority|mode|phase|stage|severity|visibility)$|(Status|State|Kind|Type|Category|Level|Role|Mode)$/

/** A value that comes later would not fit, so only what really looks like constants counts. */
function constantsIn(name: string, { distinct: { counts } }: ValueProfile): string[] | undefined {
  if (!counts || counts.size < 2 || counts.size > maxConstants) return undefined
  const found = [...counts.keys()].map(String)
  const looksLikeOne = namesOfConstants.test(name) ? isGraphqlName : (text: string): boolean => /^[A-Z][A-Z0-9]*_?[A-Z0-9_]+$/.test(text) && isGraphqlName(text)
  const isRepeated = [...counts.values()].every((count) => count >= 3)
  return isRepeated && found.every((text) => looksLikeOne(text) && !['true', 'false', 'null'].includes(text)) ? found.toSorted() : undefined
}
