// Texts with a meaning for databases, engines, terminals or file systems. None contains a word that answers are searched for.

import type { Random } from '../random.ts'

const sql = [
  `'`, `"`, '`', `''`, `\\'`, `' OR '1'='1`, `' OR 1=1 --`, `" OR ""="`, `'; DROP TABLE books; --`, `'); DELETE FROM "books"; --`, `' UNION SELECT key, etag, bytes, body FROM quire --`,
  `1; ATTACH DATABASE 'x' AS y`, `' AND randomblob(100000000) --`, `'||(SELECT hex(randomblob(5)))||'`, `/**/OR/**/1=1`, `' AND 1=load_extension('x') --`, `%27%20OR%201=1`, `'; WAITFOR DELAY '0:0:5' --`,
  `' AND SLEEP(5) --`, `'; SELECT pg_sleep(5); --`, `?`, `?1`, `@p0`, `:x`, `$1`, `{{7*7}}`, '${7*7}', `$.id`, `$."id"`, `"].x`, `*`, `%`, `_%`,
]

const cosmos = [
  `c["x"]`, `" OR true OR c["x"]="`, `') OR IS_DEFINED(c.secret) --`, `IS_DEFINED(c)`, `c.id = @p0 OR 1=1`, `UDF.run()`, `SELECT * FROM c`, `x" JOIN y IN c["z"]`, `"] = 1 OR c["id`, `ST_DISTANCE(c, c) < 1`, `VALUE c`, `TOP 1000000`,
  `\\"] OR ["`, `"}],"x":[{"y":"`,
]

const engines = [
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'constructor.prototype.polluted', '__proto__[polluted]', 'null', 'undefined', 'NaN', 'Infinity', 'true', '[object Object]', '-0', '0x10',
  '{"$gt":""}', '{"$where":"sleep(5000)"}', `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `]]>`, `<!--`, `../../../etc/passwd`, `..%2f..%2f`, `C:\\boot.ini`, '%00', '%s%s%n', '\r\nset-cookie: x=y', '\r\n\r\nHTTP/1.1 200 OK',
  '\u001b[2J\u001b]0;owned\u0007', '$(id)', '`id`', '| id', '; id', 'jndi:ldap://127.0.0.1/x',
]

const characters = [
  '', ' ', '\t\n\r', '\u0000', 'a\u0000b', '\ufeff', '\ufeffx', '\u202egnp.exe', 'é', 'e\u0301', '𝒳', '👩‍👩‍👧‍👦', '\u{10ffff}', '\uffff', '\ud800', 'x\udfffy', '\udc00\ud800', '\u2028\u2029', 'İstanbul', 'ß', '\u00ad', '\u200b', '\u0085', '＇ OR １=１', 'ﷺ',
]

export const texts: readonly string[] = [...sql, ...cosmos, ...engines, ...characters]

/** Names that objects inherit from their prototypes. */
export const pollutingNames = ['__proto__', 'constructor', 'prototype', '__defineGetter__', 'toString', 'valueOf', 'hasOwnProperty', '__lookupGetter__', 'toJSON', 'then'] as const

/** One text, two, or one repeated far too often. */
export function hostileText(random: Random): string {
  const text = random.pick(texts)
  if (random.chance(0.1)) return text + random.pick(texts)
  return random.chance(0.03) ? text.repeat(Math.min(20_000, Math.ceil(random.between(100, 20_000) / Math.max(1, text.length)))) : text
}

/** Whole characters only, without half of a surrogate pair at the end. */
export function cut(text: string, random: Random): string {
  return text.slice(0, random.below(text.length))
}

export const hugeNumbers = ['-1', '0', '-0', '2147483647', '2147483648', '-2147483649', '9007199254740993', '1e300', '-1e300', '1e400', '1e-400', '0.1', '1.0', '9'.repeat(400), `1${'0'.repeat(5000)}`] as const
