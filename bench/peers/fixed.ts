// The ceiling: node:http reads each request and sends a prepared answer. No GraphQL server on node:http can be faster.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { listen } from './listen.ts'

const answers = new Map(Object.entries(JSON.parse(readFileSync(process.env['BENCH_ANSWERS']!, 'utf8')) as Record<string, string>).map(([body, answer]) => [body, Buffer.from(answer)]))

listen(createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const answer = answers.get(Buffer.concat(chunks).toString()) ?? Buffer.from('{}')
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    response.end(answer)
  })
}))
