// Runs fillDisk in a mount namespace where the folder is a small disk, and prints the outcome. scenarios/disk.ts starts it.

import { fillDisk } from './full-disk.ts'

const [folder, options] = process.argv.slice(2)
console.log(JSON.stringify(await fillDisk({ ...(JSON.parse(options!) as { rounds: number; seed: number }), folder: folder!, mounted: true })))
