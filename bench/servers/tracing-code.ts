// The code that exists only for tracing (the cost report), as patterns to cut out of a module's source.
// test/bench checks that each of them still matches, so a renamed line fails a test and not a benchmark.

/** Paths under the project's root, with the lines to replace. */
export const tracingCode: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  'src/read/reads.ts': [[/^ *this\.\w+\?\.ask\w*\(.*\)$/gm, '']],
  'src/execute/resolvers.ts': [
    [/^ *const (\w+): \w+ = \{ field: field\.coordinate,.*\}$/gm, '    const $1 = untraced'],
    [/^ *return \{ field: `\$\{info\.parentType\.name\}.*\}$/gm, '  return untraced'],
    [/^ *\w+\.resolved\+\+$/gm, ''],
    [/^ *relation\.\w+\?\.\(.*\)$/gm, ''],
    [/$(?![\s\S])/g, "\nconst untraced = { field: '', place: { prev: undefined, key: '' }, stage: 0 }\n"],
  ],
}

export function withoutTracingCode(file: string, source: string): string {
  return tracingCode[file]!.reduce((cut, [pattern, replacement]) => {
    if (cut.search(pattern) < 0) throw new Error(`${file} has no line like ${String(pattern)}. Update bench/servers/tracing-code.ts.`)
    return cut.replace(pattern, replacement)
  }, source)
}
