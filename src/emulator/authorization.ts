// Who may ask: a signature made with the master key over verb, resource and date, or a bearer token that
// the server was told of.

import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import { headerOf, Refusal, type CosmosRequest } from './http-messages.ts'

const allowedSkewMs = 15 * 60 * 1000

/** Makes the check that refuses a request with 401. */
export function authorization({ key, tokens, asIdentity }: { key: string; tokens: readonly string[]; asIdentity: () => boolean }): (request: CosmosRequest) => void {
  const secret = createSecretKey(key, 'base64')
  return (request) => {
    const { type } = check(request, secret, tokens)
    // As the tests of item ids say of the routing gateway (azure-cosmos-dotnet-v3, azure-sdk-for-java and -go, older ones of azure-sdk-for-js).
    if (/\s$|%[\da-f]{2}/i.test(request.segments[5] ?? '')) throw new Refusal(401, 'The signature does not fit the path as the gateway reads it.')
    // Identities of Entra ID have no roles for what the account's management does (dotnet/efcore#32197, azure-cosmos-dotnet-v3#2394).
    if ((type === 'aad' || asIdentity()) && isManagement(request)) throw new Refusal(403, `The request [${request.method} ${request.path}] cannot be authorized by a token of Entra ID.`, { subStatus: 5300 })
  }
}

function check(request: CosmosRequest, secret: KeyObject, tokens: readonly string[]): { type: string } {
  const header = headerOf(request, 'authorization')
  if (header === undefined) throw new Refusal(401, 'Required Header authorization is missing.')
  const { type, sig } = fields(header)
  if (type === 'aad') {
    if (!tokens.includes(sig)) throw new Refusal(401, 'The token is not one that this account accepts.')
    return { type }
  }
  const date = headerOf(request, 'x-ms-date')
  if (date === undefined) throw new Refusal(401, 'Required Header x-ms-date is missing.')
  // The client signs with its own clock, so the date is compared with the real one, not a test's.
  if (!(Math.abs(Date.parse(date) - Date.now()) <= allowedSkewMs)) {
    throw new Refusal(401, `The authorization token is not valid at the current time: it was signed at ${date}.`)
  }
  if (type !== 'master' || !isSame(sig, signature(request, date, secret))) {
    throw new Refusal(401, "The input authorization token can't serve the request. Please check that the expected payload is built as per the protocol, and check the key being used.")
  }
  return { type }
}

/** Whether the request creates, changes or deletes a database, a container or an offer. */
function isManagement({ method, segments, headers }: CosmosRequest): boolean {
  return method !== 'GET' && segments[4] === undefined && headers['x-ms-documentdb-isquery'] === undefined
}

/** The header is URI-encoded as a whole by some clients and sent as it is by others. */
function fields(header: string): { type: string; sig: string } {
  const text = header.includes('%3D') || header.includes('%3d') ? decodeURIComponent(header) : header
  const match = /^type=(?<type>[a-z]+)&ver=1\.0&sig=(?<sig>.*)$/s.exec(text)
  return { type: match?.groups?.['type'] ?? '', sig: match?.groups?.['sig'] ?? '' }
}

function signature(request: CosmosRequest, date: string, secret: KeyObject): string {
  const { type, link } = resource(request.segments)
  const text = `${request.method.toLowerCase()}\n${type}\n${link}\n${date.toLowerCase()}\n\n`
  return createHmac('sha256', secret).update(text).digest('base64')
}

/** A feed (…/docs) is signed as its owner, a resource (…/docs/b1) as itself, an offer by its id alone. */
function resource(segments: readonly string[]): { type: string; link: string } {
  const isFeed = segments.length % 2 === 1
  const type = segments.at(isFeed ? -1 : -2) ?? ''
  const link = (isFeed ? segments.slice(0, -1) : segments).join('/')
  return { type, link: type === 'offers' && !isFeed ? (segments[1] ?? '').toLowerCase() : link }
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
