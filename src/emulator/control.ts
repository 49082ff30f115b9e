// What a person or a script tells a running emulator, beside the protocol and without a signature: which faults to make, which partition to
// split, and to show the log. The documentation has an example of each.

import { isObject } from '../model/json/json.ts'
import { jsonOf, Refusal, type Answer, type CosmosRequest } from './http-messages.ts'
import type { EmulatedAccount, SplitOptions } from './emulated-account.ts'

const rates = ['throttle', 'retryWith', 'timeout', 'gone', 'unavailable', 'lostAnswers'] as const
const counts = ['seed', 'latencyMs', 'emptyFeedPages'] as const

export function isControl({ segments }: CosmosRequest): boolean {
  return segments[0] === '_emulator'
}

export function answerControl(account: EmulatedAccount, request: CosmosRequest): Answer {
  try {
    return { status: 200, charge: 0, body: JSON.stringify(perform(account, request)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, charge: 0, body: JSON.stringify({ message: error.message }) }
  }
}

function perform(account: EmulatedAccount, request: CosmosRequest): unknown {
  const [, what, ...names] = request.segments.slice(0, 4)
  // A page of another site can make a browser send plain text here, and nothing else without asking first.
  if (request.method !== 'GET' && !request.headers['content-type']?.startsWith('application/json')) throw new Refusal(415, 'Send application/json.')
  switch (`${request.method} ${what ?? ''}`) {
    case 'GET log': return account.log
    case 'DELETE log': return account.log.splice(0).length
    case 'GET faults': return faultsOf(account)
    case 'PUT faults': return setFaults(account, jsonOf(request))
    case 'GET partitions': return account.partitions(names[0] ?? '', names[1] ?? '')
    case 'POST splits': return split(account, jsonOf(request))
    default: throw new Refusal(404, 'There are GET and DELETE /_emulator/log, GET and PUT /_emulator/faults, GET /_emulator/partitions/DATABASE/CONTAINER and POST /_emulator/splits.')
  }
}

function faultsOf({ faults }: EmulatedAccount): Record<string, number> {
  return Object.fromEntries([...rates, ...counts].map((name) => [name, faults[name]]))
}

/** All or nothing, and what is not named stays. */
function setFaults(account: EmulatedAccount, sent: unknown): Record<string, number> {
  if (!isObject(sent)) throw new Refusal(400, 'Send an object of faults, such as {"throttle": 0.3}.')
  for (const [name, value] of Object.entries(sent)) {
    const isRate = rates.some((each) => each === name)
    if (!isRate && !counts.some((each) => each === name)) throw new Refusal(400, `There is no fault ${name}. There are ${[...rates, ...counts].join(', ')}.`)
    if (typeof value !== 'number' || !(value >= 0) || (isRate ? value > 1 : !Number.isInteger(value))) throw new Refusal(400, `${name} has to be ${isRate ? 'a number from 0 to 1' : 'a whole number'}.`)
  }
  Object.assign(account.faults, sent)
  return faultsOf(account)
}

function split(account: EmulatedAccount, sent: unknown): unknown {
  const { database, container, partition, at, ...durations } = isObject(sent) ? sent : {}
  if (typeof database !== 'string' || typeof container !== 'string' || typeof partition !== 'string') throw new Refusal(400, 'Send {"database", "container", "partition"}, "requests" or "forMs" for how long it takes, and "at" for where.')
  if (at !== undefined && typeof at !== 'string') throw new Refusal(400, 'at has to be a text of hexadecimal digits.')
  for (const [name, value] of Object.entries(durations)) {
    if (name !== 'requests' && name !== 'forMs') throw new Refusal(400, `A split has no ${name}.`)
    if (!(typeof value === 'number' && Number.isInteger(value) && value >= 0)) throw new Refusal(400, `${name} has to be a whole number.`)
  }
  account.split(database, container, partition, { ...(durations as Pick<SplitOptions, 'requests' | 'forMs'>), ...(at === undefined ? {} : { at }) })
  return account.partitions(database, container)
}
