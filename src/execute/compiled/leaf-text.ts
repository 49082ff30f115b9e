// Leaf values as JSON text: what `JSON.stringify` makes of the type's `serialize`. GraphQL's built-in scalars have a fast
// path for the values that they nearly always have.

import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString, type GraphQLLeafType } from 'graphql'
import { quoted } from '../../model/json/quote-json.ts'
import { GiveUp } from './json-writer.ts'

export type LeafText = (value: unknown) => string

/** Writes values of a type; null only if it is not required. */
export function leafText(type: GraphQLLeafType, required: boolean): LeafText {
  const builtIn = builtInTexts[type.name]
  if (builtIn) return required ? builtIn.required : builtIn.nullable
  const serialized = (value: unknown): string => textOf(type.serialize(value))
  return required ? orGiveUp(serialized) : orNull(serialized)
}

// One function for each scalar, not one made for every field: the code of rows calls them very often, and V8 inlines a
// call whose target is always the same.

function requiredString(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : otherString(value)
}

function nullableString(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : value === null || value === undefined ? 'null' : otherString(value)
}

function requiredId(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : otherId(value)
}

function nullableId(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : value === null || value === undefined ? 'null' : otherId(value)
}

function requiredInt(value: unknown): string {
  return typeof value === 'number' && (value | 0) === value ? `${value}` : otherInt(value)
}

function nullableInt(value: unknown): string {
  return typeof value === 'number' && (value | 0) === value ? `${value}` : value === null || value === undefined ? 'null' : otherInt(value)
}

function requiredFloat(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? `${value}` : otherFloat(value)
}

function nullableFloat(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? `${value}` : value === null || value === undefined ? 'null' : otherFloat(value)
}

function requiredBoolean(value: unknown): string {
  return typeof value === 'boolean' ? `${value}` : otherBoolean(value)
}

function nullableBoolean(value: unknown): string {
  return typeof value === 'boolean' ? `${value}` : value === null || value === undefined ? 'null' : otherBoolean(value)
}

const otherString = orGiveUp((value) => textOf(GraphQLString.serialize(value)))
const otherId = orGiveUp((value) => textOf(GraphQLID.serialize(value)))
const otherInt = orGiveUp((value) => textOf(GraphQLInt.serialize(value)))
const otherFloat = orGiveUp((value) => textOf(GraphQLFloat.serialize(value)))
const otherBoolean = orGiveUp((value) => textOf(GraphQLBoolean.serialize(value)))

const builtInTexts: { readonly [type: string]: { readonly required: LeafText; readonly nullable: LeafText } | undefined } = {
  String: { required: requiredString, nullable: nullableString },
  ID: { required: requiredId, nullable: nullableId },
  Int: { required: requiredInt, nullable: nullableInt },
  Float: { required: requiredFloat, nullable: nullableFloat },
  Boolean: { required: requiredBoolean, nullable: nullableBoolean },
}

function orNull(text: LeafText): LeafText {
  return (value) => (value === null || value === undefined ? 'null' : text(value))
}

function orGiveUp(text: LeafText): LeafText {
  return (value) => {
    if (value === null || value === undefined) throw new GiveUp('A non-null value is null.')
    return text(value)
  }
}

function textOf(serialized: unknown): string {
  const text = serialized === null || serialized instanceof Promise ? undefined : JSON.stringify(serialized)
  if (text === undefined) throw new GiveUp('A value cannot be written as JSON.')
  return text
}
