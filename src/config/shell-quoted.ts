// Commands that Quire prints for the user to copy.

/** An argument as the user's shell reads it. */
export function shellQuoted(argument: string): string {
  if (/^[\w./@:=+~^-]+$/.test(argument) && !argument.startsWith('~')) return argument
  return process.platform === 'win32' ? `"${argument}"` : `'${argument.replaceAll("'", String.raw`'\''`)}'`
}
