// What the file of a command exports as `command`: its arguments, options, help and run function, and how
// commander learns of them. cli.ts lists the commands and loads the file of the chosen one only.

import type { Command } from 'commander'
import { configFileName, settledEnvironment, type Options } from '../../config/config-file.ts'
import { settings } from '../../config/settings.ts'

export interface CliCommand {
  /** Syntax and description, such as `'<file>': 'the operation'`. */
  readonly arguments?: Readonly<Record<string, string>>
  /** The settings that have an option here. `run` finds them, and those of the config file, in `process.env`. */
  readonly settings?: readonly SettingOption[]
  /** `run` reads the settings itself, as often as it likes: the environment stays as it is. */
  readonly readsSettings?: boolean
  readonly requiredOptions?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, string>>
  /** `run` gets the words of the command line as they are and explains them itself. */
  readonly parsesItself?: boolean
  /** Below the list of options: what it does, its exit codes, examples. */
  readonly help?: string
  /** Gets the options and arguments as commander parsed them. Answers with the exit code; undefined while it serves. */
  readonly run: (options: never, ...args: never[]) => Promise<number | undefined>
}

const settingOptions = {
  schema: '--schema <folder>',
  store: '--store <store>',
  port: '--port <number>',
  host: '--host <address>',
  workers: '--workers <number>',
}

export type SettingOption = keyof typeof settingOptions

export function defineCommand(target: Command, command: CliCommand): void {
  for (const [syntax, description] of Object.entries(command.arguments ?? {})) target.argument(syntax, description)
  if (command.settings) {
    for (const name of command.settings) target.option(settingOptions[name], settings[name]!.description)
    target.option('--config <file>', `read settings from this file instead of ${configFileName}`)
  }
  for (const [syntax, description] of Object.entries(command.requiredOptions ?? {})) target.requiredOption(syntax, description)
  for (const [syntax, description] of Object.entries(command.options ?? {})) target.option(syntax, description)
  if (command.help !== undefined) target.addHelpText('after', command.help)
  if (command.parsesItself) target.helpOption(false).allowUnknownOption()
  target.action(async () => {
    const options: Options = target.opts()
    if (command.settings && !command.readsSettings) Object.assign(process.env, await settledEnvironment(process.env, options))
    const args: unknown[] = command.parsesItself ? [target.args] : target.processedArgs
    const exitCode = await command.run(options as never, ...(args as never[]))
    if (exitCode !== undefined) process.exitCode = exitCode
  })
}
