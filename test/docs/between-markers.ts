// Documents with generated parts: a command writes what stands between `<!-- name … -->` and `<!-- /name -->`,
// people write the rest.

/**
 * The document with its parts generated again. `make` gets the words of a part's first marker; parts for which it
 * answers undefined stay as they are.
 */
export async function betweenMarkers(text: string, make: (name: string, ...words: string[]) => Promise<string | undefined>): Promise<string> {
  const parts = [...text.matchAll(/<!-- ((\w+)[^>]*?) -->\n([\s\S]*?)<!-- \/\2 -->/g)]
  let filled = text
  for (const [whole, words, name] of parts) {
    const made = await make(name!, ...words!.split(' ').slice(1))
    if (made !== undefined) filled = filled.replace(whole, () => `<!-- ${words} -->\n${made}\n<!-- /${name} -->`)
  }
  return filled
}
