// Answers GET requests with pages, in the best encoding that the browser accepts. Paths without a page go on to GraphQL.

import type { Plugin } from 'graphql-yoga'
import type { Content, Encoding } from './content.ts'
import type { Pages } from './pages.ts'

type RequestEvent = Parameters<NonNullable<Plugin['onRequest']>>[0]

export function usePages(pages: Pages): Plugin {
  return {
    onRequest(event) {
      const { request: { method, headers }, url } = event
      // Operations are usually POST and must not wait for a promise here.
      return method === 'GET' || method === 'HEAD' ? answer(event, pages(url.pathname, headers)) : undefined
    },
  }
}

async function answer(event: RequestEvent, found: Promise<Content | undefined>): Promise<void> {
  const content = await found
  if (content) event.endResponse(await respond(content, event.request, event.fetchAPI.Response))
}

async function respond({ type, status = 200, headers, encodings, read }: Content, request: Request, Answer: typeof Response): Promise<Response> {
  const encoding = bestEncoding(encodings, request.headers.get('accept-encoding') ?? '')
  const bytes = await read(encoding)
  return new Answer(request.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), {
    status,
    headers: {
      ...headers,
      'content-type': type,
      'content-length': String(bytes.byteLength),
      ...(encodings.length > 1 ? { vary: 'accept-encoding' } : {}),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
  })
}

function bestEncoding(kept: readonly Encoding[], accepted: string): Encoding {
  const understood = new Set(accepted.split(',').filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item)).map((item) => item.split(';')[0]!.trim().toLowerCase()))
  return kept.find((encoding) => understood.has(encoding)) ?? 'identity'
}
