// Answers queries and query plans. A query that spans several physical partitions is served one partition
// after the other, as the gateway does, unless its rows would have to be merged: then the SDK is sent
// to ask for a plan.

import { aggregate } from './aggregate.ts'
import { chargeOfPage } from '../charges.ts'
import type { Container } from '../storage/container.ts'
import { beginning, readToken, writeToken, type Continuation } from './continuation.ts'
import { headerOf, jsonOf, Refusal, type Answer, type CosmosRequest } from '../http-messages.ts'
import { readPage } from './query-page.ts'
import { planOf } from './query-plan.ts'
import { targetsOf, type Target } from './query-target.ts'
import { ridText } from '../storage/resource-id.ts'
import { checkOrder, needsScan } from '../sql/index-use.ts'
import { parseQuery, type ParsedQuery } from '../sql/parse.ts'

const defaultPageItems = 100
const longestPageItems = 1000

export function answerQuery(container: Container, request: CosmosRequest): Answer {
  const query = parseQuery(request.method === 'GET' ? { query: 'SELECT * FROM c' } : jsonOf(request))
  checkOrder(query, container.indexPolicy)
  const targets = targetsOf(container, request)
  if (targets.length > 1 && needsPlan(query)) {
    throw new Refusal(400, 'The provided cross partition query can not be directly served by the gateway.', {
      subStatus: 1004,
      details: { additionalErrorInfo: JSON.stringify(planOf(query)) },
    })
  }
  const scanned = needsScan(query, container.indexPolicy)
  const [only] = targets
  const answer = query.selection.kind === 'documents' || only === undefined
    ? answerPage(container, request, query, targets, scanned)
    : answerAggregate(container, query, only, scanned)
  return { ...answer, keys: query.listed, scanned }
}

export function answerPlan(container: Container, request: CosmosRequest): Answer {
  const query = parseQuery(jsonOf(request))
  checkOrder(query, container.indexPolicy)
  return { status: 200, charge: 0, body: JSON.stringify(planOf(query)) }
}

/** Whatever needs to know of more than one partition's rows. */
function needsPlan({ selection, orderBy, top, slice }: ParsedQuery): boolean {
  return selection.kind !== 'documents' || selection.distinct === true || orderBy.length > 0 || top !== undefined || slice !== undefined
}

function answerPage(container: Container, request: CosmosRequest, query: ParsedQuery, targets: readonly Target[], scanned: boolean): Answer {
  const identity = `${ridText(container.rid)}\n${query.selection.rewritten ? orderText(query) : request.text}`
  const token = headerOf(request, 'x-ms-continuation')
  const { from, marks, taken } = token === undefined ? beginning : readToken(token, identity)
  const left = targets.filter(({ partition }) => partition.range.max > from)
  const [target] = left
  if (target === undefined) return rowsAnswer(container, [], { charge: chargeOfPage({ hits: false, documents: 0, bytesLoaded: 0 }) })
  const { partition } = target
  const limit = Math.min(pageItems(request), (query.top ?? Infinity) - taken)
  const { rows, after, bytesLoaded } = readPage(query, target.documents(), {
    after: marks.find(({ until }) => partition.range.min < until)?.after,
    limit,
    scanned,
  })
  const later = marks.filter(({ until }) => until > partition.range.max)
  const next: Continuation = after === undefined
    ? { from: partition.range.max, marks: later, taken: taken + rows.length }
    : { from: partition.range.min, marks: [{ until: partition.range.max, after }, ...later], taken: taken + rows.length }
  const hasMore = (after !== undefined || left.length > 1) && next.taken < (query.top ?? Infinity)
  return rowsAnswer(container, rows, {
    rangeId: partition.id,
    charge: chargeOfPage({ hits: rows.length > 0, documents: rows.length, bytesLoaded }),
    headers: {
      ...(hasMore && { 'x-ms-continuation': writeToken(next, identity) }),
      // Equal documents come in the order of their _rid, whichever way the values are sorted.
      ...(query.orderBy.length > 0 && { 'x-ms-cosmos-query-execution-info': '{"reverseRidEnabled":false,"reverseIndexScan":false}' }),
    },
  })
}

/** When the SDK resumes an ordered query, it changes the filter that its plan left open, so only the order can be checked. */
function orderText({ orderBy }: ParsedQuery): string {
  return orderBy.map(({ ref, descending }) => `${ref.text} ${descending ? 'DESC' : 'ASC'}`).join()
}

function answerAggregate(container: Container, query: ParsedQuery, target: Target, scanned: boolean): Answer {
  const { rows, matches, bytesLoaded } = aggregate(query, target.documents(), scanned)
  return rowsAnswer(container, rows, { rangeId: target.partition.id, charge: chargeOfPage({ hits: matches > 0, documents: rows.length, bytesLoaded }) })
}

function rowsAnswer(container: Container, rows: readonly string[], rest: Partial<Answer> & { charge: number }): Answer {
  const body = `{"_rid":${JSON.stringify(ridText(container.rid))},"Documents":[${rows.join(',')}],"_count":${rows.length}}`
  return { status: 200, body, documents: rows.length, ...rest, headers: { ...rest.headers, 'x-ms-item-count': String(rows.length) } }
}

function pageItems(request: CosmosRequest): number {
  const wanted = Number(headerOf(request, 'x-ms-max-item-count') ?? defaultPageItems)
  return Number.isInteger(wanted) && wanted > 0 ? wanted : longestPageItems
}
