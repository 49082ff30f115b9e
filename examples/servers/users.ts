// Stands for your own authentication, such as Passport, @fastify/jwt or Auth.js. It knows one user, by a token that only you set.

export interface User {
  readonly id: string
  readonly roles: readonly string[]
}

export async function userOf(authorization: string | null | undefined): Promise<User | undefined> {
  const token = process.env['EDITOR_TOKEN']
  return token && authorization === `Bearer ${token}` ? { id: 'ada', roles: ['editor'] } : undefined
}
