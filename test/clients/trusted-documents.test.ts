// Apollo's own link for persisted queries against a gateway that runs only trusted documents.

import { createHash } from 'node:crypto'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { addTypenameToDocument } from '@apollo/client/utilities'
import { print, type DocumentNode } from 'graphql'
import { expect, test } from 'vitest'
import { serve } from '../http/production/serve.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const trusted: DocumentNode = gql`query Cages($n: Int) { cages(first: $n) { nodes { id name } } }`
const other: DocumentNode = gql`query Other { animals { nodes { id } } }`

test('Apollo sends hashes of trusted documents, and other documents are rejected', async () => {
  // The client's cache adds type names before sending.
  const text = print(addTypenameToDocument(trusted))
  const served = await serve({ trustedDocuments: { [sha256(text)]: text } })
  const sent: object[] = []
  const http = new HttpLink({
    uri: `http://127.0.0.1:${served.port}/graphql`,
    fetch: (url, init) => {
      sent.push(JSON.parse(init!.body as string) as object)
      return fetch(url, init)
    },
  })
  const client = new ApolloClient({ cache: new InMemoryCache(), link: new PersistedQueryLink({ sha256 }).concat(http) })
  const { data } = await client.query<{ cages: object }>({ query: trusted, variables: { n: 1 } })
  expect(data).toMatchObject({ cages: { nodes: [{ id: 'c1', name: 'Big' }] } })
  expect(sent).toEqual([{ operationName: 'Cages', variables: { n: 1 }, extensions: { persistedQuery: { version: 1, sha256Hash: sha256(text) }, clientLibrary: expect.anything() as object } }])
  await expect(client.query({ query: other })).rejects.toMatchObject({ errors: [{ extensions: { code: 'UNTRUSTED_DOCUMENT' } }] })
  client.stop()
  await served.close()
})
