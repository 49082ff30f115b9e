// The issuer of the tokens that signed-in requests send.

export const issuer = 'https://login.example'
export const audience = 'library'
