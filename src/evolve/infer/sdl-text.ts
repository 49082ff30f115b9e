// A guessed schema as SDL: each guess with its evidence in a comment above it.

import type { CoordinateAt, GuessedType } from './guess.ts'
import type { Guessed } from './guess-documents.ts'

/** Longer comments are broken into lines. */
const lineLength = 110

export function sdlText({ guess, documents }: Guessed, title: readonly string[]): string {
  const coordinates = new Map(documents.flatMap((type) => type.fields.map((field) => [field.place, `${type.name}.${field.name}`])))
  const coordinateAt: CoordinateAt = (place) => coordinates.get(place)
  return [
    title.flatMap((line) => comment(line, '')).join('\n'),
    ...documents.map((type) => typeText(type, coordinateAt)),
    ...[...guess.objects.values()].map((type) => typeText(type, coordinateAt)),
    ...[...guess.unions].map(([name, members]) => `union ${name} = ${members.join(' | ')}`),
    ...[...guess.enums].map(([name, values]) => `enum ${name} {\n${values.map((value) => `  ${value}\n`).join('')}}`),
    ...(guess.usesJson ? ['# Any JSON value: it is served as it is, and has no filters.\nscalar JSON'] : []),
  ].join('\n\n').concat('\n')
}

function typeText({ name, directives, evidence, fields, leftOut }: GuessedType, coordinateAt: CoordinateAt): string {
  return [
    ...evidence.flatMap((line) => comment(line, '')),
    ...leftOut.flatMap((line) => comment(`Left out: ${line}`, '')),
    `type ${name}${directives} {`,
    ...fields.flatMap((field) => [...(field.evidence.length === 0 ? [] : comment(field.evidence.join('; '), '  ')), `  ${field.name}: ${field.text(coordinateAt)}`]),
    '}',
  ].join('\n')
}

function comment(text: string, indent: string): string[] {
  const lines: string[] = []
  for (const word of text.replaceAll(/\s+/g, ' ').split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < lineLength) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}# ${word}`)
  }
  return lines
}
