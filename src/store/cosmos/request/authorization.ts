// Signs requests to the service: with the key of the Azure account, or with a token of Entra ID.

import { createHmac, createSecretKey } from 'node:crypto'
import type { CosmosClientOptions } from '@azure/cosmos'
import { bearerTokenAuthenticationPolicy, type PipelineRequest, type PipelineResponse, type SendRequest } from '@azure/core-rest-pipeline'

/** Sends a request for documents of the container or the document with this path, which is not encoded. */
export type SendSigned = (request: PipelineRequest, path: string, send: SendRequest) => Promise<PipelineResponse>

export function signedWith(key: string, now: () => number = Date.now): SendSigned {
  const sign = signerOf(key)
  let second = 0
  let date = ''
  // All queries of a container have one signature for as long as the date, which is in whole seconds, stays the same.
  const ofQueries = new Map<string, string>()
  return (request, path, send) => {
    const moment = now()
    if (moment - second >= 1000 || moment < second) {
      second = moment - (moment % 1000)
      date = new Date(moment).toUTCString()
      ofQueries.clear()
    }
    const known = request.method === 'POST' ? ofQueries.get(path) : undefined
    const signature = known ?? sign(`${request.method.toLowerCase()}\ndocs\n${path}\n${date.toLowerCase()}\n\n`)
    if (request.method === 'POST') ofQueries.set(path, signature)
    request.headers.set('x-ms-date', date)
    request.headers.set('authorization', signature)
    return send(request)
  }
}

/** A key may also be a token of the account (`type=sas&…`), which is sent as it is. */
function signerOf(key: string): (text: string) => string {
  if (key.startsWith('type=sas&')) return () => encodeURIComponent(key)
  const secret = createSecretKey(key, 'base64')
  return (text) => encodeURIComponent(`type=master&ver=1.0&sig=${createHmac('sha256', secret).update(text).digest('base64')}`)
}

/** The same policy as in the SDK, which renews tokens before they expire. */
export function signedInWith(credential: NonNullable<CosmosClientOptions['aadCredentials']>, endpoint: string): SendSigned {
  const policy = bearerTokenAuthenticationPolicy({
    scopes: `${new URL(endpoint).href.replace(/\/$/, '')}/.default`,
    credential: {
      getToken: (scopes) => credential.getToken(scopes).catch((error: unknown) => {
        // A tenant that does not know the account by its address knows the service.
        if (error instanceof Error && error.message.includes('AADSTS500011')) return credential.getToken('https://cosmos.azure.com/.default')
        throw error
      }),
    },
  })
  return (request, _path, send) => policy.sendRequest(request, (sent) => {
    // Cosmos DB has a form of its own for the header.
    sent.headers.set('authorization', sent.headers.get('authorization')!.replace(/^Bearer /, 'type=aad&ver=1.0&sig='))
    return send(sent)
  })
}
