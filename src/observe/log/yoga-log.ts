// Writes Yoga's own messages into the log, except its debug lines for each step of a request. Errors in answers do not come
// this way: `log-error.ts` logs them with their code and request id.

import type { YogaLogger } from 'graphql-yoga'
import type { Log } from './log.ts'

export function createYogaLog(log: Log): YogaLogger {
  const write = (level: 'info' | 'warn' | 'error') => (...messages: unknown[]): void => {
    const texts = messages.filter((one) => typeof one === 'string')
    if (texts.length > 0 && log.isLevelEnabled(level)) log[level]({ from: 'yoga' }, texts.join(' '))
  }
  return { debug: () => undefined, info: write('info'), warn: write('warn'), error: write('error') }
}
