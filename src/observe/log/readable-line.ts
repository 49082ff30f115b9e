// Formats a log line for people: time, level, message, fields, and the stack of an error on lines of its own.

interface Line {
  readonly level: string
  readonly time: string
  readonly msg?: string
  readonly err?: { readonly message: string; readonly stack?: string }
}

export function readableLine(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Line
  const named = Object.entries(fields).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const first = [new Date(time).toTimeString().slice(0, 8), level.toUpperCase().padEnd(5), msg ?? '', ...named].join(' ')
  return `${[first, ...(err ? (err.stack ?? err.message).split('\n').map((line) => `    ${line}`) : [])].map(printable).join('\n')}\n`
}

/** Escapes control characters, with which a client could write to the terminal. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
