// Documents with generated parts: whatever stands between `<!-- name … -->` and `<!-- /name -->` is made
// by a command, and everything around it by people.

/** The document with its parts made anew. A part is known by the words of its first marker; what is not made stays as it is. */
export async function betweenMarkers(text: string, make: (name: string, ...words: string[]) => Promise<string | undefined>): Promise<string> {
  const parts = [...text.matchAll(/<!-- ((\w+)[^>]*?) -->\n([\s\S]*?)<!-- \/\2 -->/g)]
  let filled = text
  for (const [whole, words, name] of parts) {
    const made = await make(name!, ...words!.split(' ').slice(1))
    if (made !== undefined) filled = filled.replace(whole, () => `<!-- ${words} -->\n${made}\n<!-- /${name} -->`)
  }
  return filled
}
