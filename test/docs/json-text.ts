// Documents as people write them: on one line where that can be read, and otherwise a line for each part.

const width = 110

export function jsonText(value: unknown, indent = 0): string {
  const line = inline(value)
  if (line.length + indent <= width || typeof value !== 'object' || value === null) return line
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((each) => jsonText(each, indent + 2))]
    : ['{', '}', Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${jsonText(each, indent + 2)}`)]
  const margin = ' '.repeat(indent)
  return `${open}\n${parts.map((part) => `${margin}  ${part}`).join(',\n')}\n${margin}${close}`
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${inline(each)}`).join(', ')} }`
}
