// Judges an answer: a server fault, a violation of GraphQL over HTTP, or more information than a stranger may have. Refusing a
// request is never wrong.

import type { SecretSearch } from '../secret-search.ts'
import type { Hostile } from './hostile-request.ts'
import type { Answer } from './http-answer.ts'

export class Judge {
  readonly #secrets: SecretSearch
  readonly #words: readonly RegExp[]

  /** Includes folders of this machine. */
  constructor(secrets: SecretSearch, folders: readonly string[]) {
    this.#secrets = secrets
    this.#words = [...inner, ...folders.map((folder) => new RegExp(RegExp.escape(folder)))]
  }

  /** Every problem, in the same words for all answers that have it. */
  problems(hostile: Hostile, answers: readonly Answer[]): string[] {
    if (answers.length < hostile.answers) return ['there is no answer']
    const quoted = hostile.bytes.toString()
    return [...new Set(answers.flatMap((answer) => [...this.#ofHttp(answer), ...(hostile.answered === 'graphql' ? ofGraphql(answer, hostile.broken !== undefined) : ofAnyJson(answer)), ...this.#leaks(answer, quoted)]))]
  }

  #ofHttp({ status, headers, body }: Answer): string[] {
    // An overloaded gateway may refuse if it says when to retry; a timeout is fine if it says so.
    if (status === 503 && headers['retry-after'] !== undefined) return []
    if (status === 504 && body.includes('"DEADLINE_EXCEEDED"')) return []
    // Pages that were not built are not a finding.
    if (status === 503 && headers['content-type']?.startsWith('text/html')) return []
    return status >= 500 || status < 200 ? [`it is answered with ${status}`] : []
  }

  #leaks({ headers, body }: Answer, quoted: string): string[] {
    const text = `${JSON.stringify(headers)}\n${body}`
    const said = this.#words.flatMap((word) => {
      const [found] = word.exec(text) ?? []
      return found === undefined || quoted.includes(found) ? [] : [found.slice(0, 30)]
    })
    // One such word is enough: there are usually more.
    return [...(said.length > 0 ? [`it tells of its inside: "${said[0]}"`] : []), ...this.#secrets.leaksIn('an answer', text).map(({ secret, as }) => `it tells the ${secret} (${as})`)]
  }
}

/** Words of the engine and of databases that no answer may contain. */
const inner = [
  /node_modules/, /\bat (async )?[\w.<>[\] ]+ \([^)]*:\d+:\d+\)/, /SQLITE_|sqlite_\w+|no such (table|column|function)|near "[^"]*": syntax|too many SQL/, /\bsrc\//, /\bE(NOENT|ACCES|CONNREFUSED|CONNRESET|PIPE|MFILE)\b/, /file:\/\//,
  /Cannot (read|set|convert) (propert|undefined|null)\w*/, /\b[\w$.]+ is not (a function|iterable|defined|an object)\b|is not valid JSON/, /Maximum call stack|Invalid (string|array) length/, /\b(Type|Range|Reference|Eval|URI)Error\b/, /JSON at position|Unexpected (token|end of JSON)/,
  /x-ms-|documents\.azure|ActivityId/,
]

interface GraphqlBody {
  readonly data?: unknown
  readonly errors?: readonly { readonly message?: unknown; readonly extensions?: { readonly code?: unknown } }[]
}

function ofGraphql(answer: Answer, broken: boolean): string[] {
  const type = answer.headers['content-type'] ?? ''
  // Too many headers to know what was requested; or server-sent events, which are not JSON.
  if ((answer.status === 431 || answer.status === 406) && answer.body === '') return []
  if (/^text\/event-stream|^multipart\/mixed/.test(type)) return []
  if (!/^application\/(graphql-response\+)?json/.test(type)) return [`JSON was asked for, and it is ${answer.status} with ${type || 'no type'}`]
  let parsed: GraphqlBody | null
  try {
    parsed = JSON.parse(answer.body) as GraphqlBody | null
  } catch {
    return ['its body is not JSON']
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return ['its body is no answer of GraphQL']
  const { data, errors } = parsed
  if (data === undefined && errors === undefined) return ['it has neither data nor errors']
  if (broken && data !== undefined && data !== null) return ['there is data for a token that is broken']
  if (errors !== undefined && (!Array.isArray(errors) || errors.length === 0)) return ['its errors are no list']
  return (errors ?? []).flatMap(({ message, extensions }) => {
    if (typeof message !== 'string') return ['an error has no message']
    if (typeof extensions?.code !== 'string') return [`an error has no code (${answer.status}: ${message.slice(0, 40)})`]
    return extensions.code === 'INTERNAL_SERVER_ERROR' ? ['an error is our fault'] : []
  })
}

/** Where any answer is allowed, a JSON answer must still be JSON and report no server fault. */
function ofAnyJson({ headers, body }: Answer): string[] {
  if (!/^application\/(graphql-response\+)?json/.test(headers['content-type'] ?? '') || body === '') return []
  try {
    JSON.parse(body)
  } catch {
    return ['its body is not JSON']
  }
  return body.includes('"INTERNAL_SERVER_ERROR"') ? ['an error is our fault'] : []
}
