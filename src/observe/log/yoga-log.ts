// What Yoga has to say, in the one log. Errors are not among it: those that matter are logged when they are
// answered, with their code and the id of their request. Nor is what Yoga says of each step of each request.

import type { YogaLogger } from 'graphql-yoga'
import type { Log } from './log.ts'

export function createYogaLog(log: Log): YogaLogger {
  const tell = (level: 'info' | 'warn' | 'error') => (...said: unknown[]): void => {
    const texts = said.filter((one) => typeof one === 'string')
    if (texts.length > 0 && log.isLevelEnabled(level)) log[level]({ from: 'yoga' }, texts.join(' '))
  }
  return { debug: () => undefined, info: tell('info'), warn: tell('warn'), error: tell('error') }
}
