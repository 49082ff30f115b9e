// Replaces the id of a trusted document with its text, and refuses every other document.

import type { Plugin } from 'graphql-yoga'
import { isObject } from '../../model/json/json.ts'
import { untrustedDocument, type TrustedDocuments } from '../limits/trusted-documents.ts'

export function useTrustedDocuments(documents: TrustedDocuments): Plugin {
  return {
    // Yoga does not read `documentId` from the URL of a GET.
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
      // Yoga refuses a body that is not a request at all.
      if (!isObject(params)) return
      const query = documents.textOf(params)
      if (query === undefined) throw untrustedDocument()
      const { documentId: _, ...rest } = params as typeof params & { documentId?: unknown }
      setParams({ ...rest, query })
    },
  }
}
