// A reader that has seen enough, such as `head -1`, closes the pipe. Commands end as usual then, with the rest of their
// output dropped: what they write to a store is still written, and a gateway goes on serving.

export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
