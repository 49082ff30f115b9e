// The functions of Cosmos SQL that look for one text in another. All of them can be answered from the index of a path,
// and take a third argument: whether case is ignored (https://learn.microsoft.com/azure/cosmos-db/nosql/query/contains).

export const textFunctions = {
  STARTSWITH: (text: string, part: string) => text.startsWith(part),
  ENDSWITH: (text: string, part: string) => text.endsWith(part),
  CONTAINS: (text: string, part: string) => text.includes(part),
  STRINGEQUALS: (text: string, part: string) => text === part,
}

export type TextFunction = keyof typeof textFunctions

export function isTextFunction(name: string): name is TextFunction {
  return Object.hasOwn(textFunctions, name)
}

/** Azure does not say how it treats letters whose other case depends on their place or has another length. */
export function caseless(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
