// The functions of Cosmos SQL that look for one text in another. All of them can be answered from the index of a path.

export const textFunctions = {
  STARTSWITH: (text: string, part: string) => text.startsWith(part),
  ENDSWITH: (text: string, part: string) => text.endsWith(part),
  CONTAINS: (text: string, part: string) => text.includes(part),
}

export type TextFunction = keyof typeof textFunctions

export function isTextFunction(name: string): name is TextFunction {
  return Object.hasOwn(textFunctions, name)
}
