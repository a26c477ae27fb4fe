/** An error of ours with the one word that records show of it. */
export function coded(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** That word, Node's own for an error of the system, or `protocol` for what the server said wrong. */
export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' && /^[a-zA-Z0-9_ ]{1,40}$/.test(code) ? code : 'protocol'
}
