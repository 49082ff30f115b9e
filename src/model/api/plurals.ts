// The plural and singular of names in a schema: `categories` of Category, `category` of `categories`. The words come from one
// library; this file finds the word in a name. Every generated name goes through here.

import pluralize from 'pluralize-esm'

/** `people` of `person`, `orderEntries` of `orderEntry`. Always another name: a word without a plural gets `List`, as in `newsList`. */
export function pluralOf(name: string): string {
  const plural = inflected(name, (word) => pluralize.plural(word), `${name}s`)
  return plural === name ? `${name}List` : plural
}

/** `person` of `people`, `orderEntry` of `orderEntries`. */
export function singularOf(name: string): string {
  return inflected(name, (word) => pluralize.singular(word), name.replace(/s$/, ''))
}

/** `orderEntry` of `OrderEntry`: the name of one, as fields have it. */
export function fieldNamed(typeName: string): string {
  return typeName.charAt(0).toLowerCase() + typeName.slice(1)
}

/**
 * Only the last word of a name changes. The library knows words, not names: that `news` has no singular, but not that
 * `relatedNews` has none. Names that end in no word, such as `ISBN` and `page2`, follow the simple rule.
 */
function inflected(name: string, inflect: (word: string) => string, simple: string): string {
  const [word] = /[A-Z]?[a-z]{2,}$/.exec(name) ?? []
  return word === undefined ? simple : name.slice(0, -word.length) + inflect(word)
}
