// Every word of a mapping and where it belongs: the readers of a mapping know their words from here, and so does the advice about a word
// that is somewhere else.

import { didYouMean } from '../../../model/sdl/suggest-name.ts'

export const mappingWords = {
  'the mapping': ['about', 'documents', 'entries'],
  'an element of "documents"': ['about', 'type', 'file', 'separator', 'encoding', 'skip', 'split', 'id', 'fields'],
  'an element of "entries"': ['about', 'list', 'file', 'separator', 'encoding', 'skip', 'of', 'id', 'fields'],
  'an element of "skip"': ['column', 'is'],
  'the "split" of "documents"': ['column', 'by'],
  'a field in "fields"': ['column', 'value', 'text', 'match', 'empty', 'default', 'split'],
  'a reference in "fields"': ['id', 'split'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type MappingPart = keyof typeof mappingWords

/** What to write instead of a word that a part of a mapping does not have. */
export function wordAdvice(word: string, part: MappingPart): string {
  const near = didYouMean(word, mappingWords[part]).trim()
  if (near !== '') return near
  const homes = (Object.keys(mappingWords) as MappingPart[]).filter((each) => (mappingWords[each] as readonly string[]).includes(word))
  return homes.length > 0 ? `It belongs in ${homes.join(' or ')}` : `Use one of ${mappingWords[part].join(', ')}`
}
