// Why a server cannot listen, and what to do.

export function listenError({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another one with PORT or --port, or stop the program that listens there.`
  if (code === 'EACCES') return `Permission denied: cannot listen on port ${port}. Choose a port above 1023 with PORT or --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `Cannot listen on host "${host}": it is not an address of this machine. Set host in the config file, HOST or --host to 127.0.0.1, or to 0.0.0.0 for all addresses.`
  return `Cannot listen on ${host}, port ${port}: ${message}.`
}
