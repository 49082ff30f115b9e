// Puts the text of a trusted document in the place of its id, and refuses every other.

import type { Plugin } from 'graphql-yoga'
import { isObject } from '../../model/json/json.ts'
import { untrusted, type TrustedDocuments } from '../limits/trusted-documents.ts'

export function useTrustedDocuments(documents: TrustedDocuments): Plugin {
  return {
    // An address has its id where Yoga does not look.
    onRequestParse({ request, url }) {
      if (request.method !== 'GET') return undefined
      return {
        onRequestParseDone({ requestParserResult, setRequestParserResult }) {
          const documentId = url.searchParams.get('documentId')
          if (documentId !== null) setRequestParserResult(Object.assign(requestParserResult, { documentId }))
        },
      }
    },
    onParams({ params, setParams }) {
      // What is no request at all is for others to refuse.
      if (!isObject(params)) return
      const query = documents.textOf(params)
      if (query === undefined) throw untrusted()
      const { documentId: _, ...rest } = params as typeof params & { documentId?: unknown }
      setParams({ ...rest, query })
    },
  }
}
