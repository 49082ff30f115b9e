import type { HttpClient } from '@azure/core-rest-pipeline'

export function runDocumentedCalls(account: { readonly endpoint: string; readonly key: string; readonly httpClient?: HttpClient }): Promise<string[]>
