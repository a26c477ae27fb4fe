export interface InitChoices {
  readonly alias: string
  /** Its URL, or the words of the command that runs it. */
  readonly server: string | readonly string[]
  readonly anonymous: boolean
  readonly issuer: string | undefined
  /** Name of the environment variable with the gateway's own token. */
  readonly bearer: string | undefined
}

export function gatewayYaml({ alias, server, anonymous, issuer, bearer }: InitChoices): string {
  const who = anonymous
    ? `    anonymous: { scopes: [] }        # anybody on this machine, without a token: for trying it out, never for a network`
    : undefined
  const issuers = anonymous
    ? '# issuers: [{ issuer: https://login.example.com }]   # instead of `anonymous` above, as soon as others are to use it'
    : `issuers:
  - issuer: ${quoted(issuer ?? 'https://login.example.com')}${issuer === undefined ? '   # fill in: your authorization server; until then no token is accepted' : ''}`
  const credential = bearer === undefined ? undefined : `    credential: { bearer: ${quoted(`\${${bearer}}`)} }`
  return lines(
    '# Who is trusted, what is served, and what stands behind it.',
    'version: 1',
    'publicUrl: http://127.0.0.1:8080     # where callers reach the gateway',
    'endpoints:',
    '  - path: /mcp',
    `    upstreams: [${quoted(alias)}]`,
    who,
    issuers,
    anonymous ? 'pins: { pollEvery: 10s }             # how soon a tool that changed is noticed; 10m is the default' : undefined,
    'upstreams:',
    `  ${quoted(alias)}:`,
    `    ${placeYaml(server)}`,
    credential,
  )
}

/** Where the server is, or how it is run. A dollar in a command is one; in a URL it may begin a variable. */
export function placeYaml(server: string | readonly string[]): string {
  if (typeof server === 'string') return `url: ${quoted(server)}`
  return `stdio: { command: [${server.map(word => quoted(word.replaceAll('$', '$$$$'))).join(', ')}] }`
}

/** Plain where YAML has no other reading of it; otherwise double-quoted, with everything outside ASCII spelled out. */
export function quoted(text: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(text) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(text)) return text
  return JSON.stringify(text).replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function lines(...text: readonly (string | undefined)[]): string {
  return `${text.filter(line => line !== undefined).join('\n')}\n`
}
