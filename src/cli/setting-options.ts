// The options that say settings for one run, and how they and the config file become part of the
// environment, from which every command reads them.

import type { Command } from 'commander'
import { configFileName, settledEnvironment } from '../serve/config-file.ts'

const flags = {
  schema: ['--schema <folder>', 'the folder of SDL to use'],
  store: ['--store <store>', 'where the documents are: memory, sqlite:PATH or cosmos'],
  port: ['--port <number>', 'the port to listen on; 0 takes any that is free'],
  host: ['--host <address>', 'the address to listen on'],
} as const

/** Says what can be said. Whoever runs the command settles it. */
export function addSettingOptions(command: Command, names: readonly (keyof typeof flags)[]): Command {
  for (const name of names) command.option(flags[name][0], flags[name][1])
  return command.option('--config <file>', `take settings from this file instead of ${configFileName}`)
}

/** Before the command runs, whatever is said for it is in the environment. */
export function withSettings(command: Command, names: readonly (keyof typeof flags)[] = ['schema', 'store']): Command {
  return addSettingOptions(command, names).hook('preAction', (_, running) => {
    Object.assign(process.env, settledEnvironment(process.env, running.opts()))
  })
}
