/**
 * What a policy revision says, in plain values: policy/ reads the files and makes one `Configuration`; every other room is
 * handed its own part of it. Nothing here is optional by accident: defaults are filled in when the files are read.
 */

/** What running the tool may do, as the operator says; never the server's annotations. */
export type Effect = 'read' | 'write' | 'destructive'

export interface Configuration {
  /** First 16 hex digits of the SHA-256 over all policy files (not pins). In every audit record. */
  readonly revision: string
  /** Absolute path of the folder the files were read from. */
  readonly directory: string
  readonly publicUrl: string
  readonly endpoints: readonly EndpointConfig[]
  readonly issuers: readonly IssuerConfig[]
  readonly upstreams: ReadonlyMap<string, UpstreamConfig>
  readonly http: HttpConfig
  readonly pins: PinConfig
  readonly limits: LimitsConfig
}

export interface EndpointConfig {
  /** `/mcp`: begins with a slash, no trailing slash, unless it is `/` alone. */
  readonly path: string
  /** OAuth resource identifier (RFC 8707): publicUrl + path, without a trailing slash. */
  readonly resource: string
  /** Aliases, in the order of the file. */
  readonly upstreams: readonly string[]
  readonly names: 'prefixed' | 'upstream'
  /** Scopes named in a 401 challenge and in the metadata document (RFC 9728 `scopes_supported`). */
  readonly scopes: readonly string[]
  readonly anonymous: { readonly scopes: readonly string[] } | undefined
  /** The oldest revision that callers may speak here: 2025-03-26, 2025-06-18, 2025-11-25 or 2026-07-28. */
  readonly minProtocolVersion: string
}

export interface IssuerConfig {
  readonly issuer: string
  /** `undefined`: found through the issuer's metadata (RFC 8414, then OpenID Connect Discovery). */
  readonly jwksUrl: string | undefined
  /** JWS `alg` values this issuer may use; asymmetric only. */
  readonly algorithms: readonly string[]
  /** Accepted `aud` values instead of the endpoint's resource; `undefined`: the endpoint's resource. */
  readonly audience: readonly string[] | undefined
  readonly tenantClaim: string | undefined
  readonly clockToleranceSeconds: number
  /** PEM file with extra trust anchors for fetching keys. */
  readonly caFile: string | undefined
  /** Private and loopback addresses may serve this issuer's keys; needed for an issuer on the same machine. */
  readonly allowPrivateAddress: boolean
}

export type CredentialHeaders = readonly (readonly [name: string, value: string])[]

export interface UpstreamConfig {
  readonly alias: string
  /** Of a process: `stdio:` and its argument vector, percent-encoded JSON; it stands for the server's identity in pins, as a URL does. */
  readonly url: string
  readonly transport: UpstreamTransport
  /** Which revisions it speaks; `auto`: asked, remembered, and asked again when that turns out wrong. */
  readonly era: 'auto' | 'modern' | 'legacy'
  /** Whose session of a legacy server a call uses: each person has one of their own, or all share. A process is always shared. */
  readonly sessions: 'perPrincipal' | 'shared'
  /** Headers that prove us to the upstream, in full: `authorization: Bearer …` or a custom one. Secret. */
  readonly credentialHeaders: CredentialHeaders
  /** Classes of principals that it knows us by another credential for; which is whose, policy/ says. Those of no class have the one above. */
  readonly variants: readonly { readonly name: string; readonly credentialHeaders: CredentialHeaders }[]
  /** Lower-case names of caller headers that travel on. Never Authorization, Cookie or anything of MCP's own. */
  readonly forwardHeaders: readonly string[]
  readonly timeoutMs: number
  /** Longest silence inside an event stream. */
  readonly streamIdleMs: number
  readonly maxConnections: number
  readonly maxResponseBytes: number
  readonly caFile: string | undefined
  /** JSON Pointers into each descriptor that are neither pinned nor forwarded. */
  readonly dropPointers: readonly string[]
  readonly xMcpHeaderAllowNumber: boolean
  readonly tools: readonly ItemPolicy[]
  readonly prompts: readonly ItemPolicy[]
  readonly resources: readonly ItemPolicy[]
  readonly questions: QuestionPolicy
  /** `resource_link`s of its results with another scheme are withheld; `undefined`: every scheme but those a browser runs. */
  readonly linkSchemes: readonly string[] | undefined
  /** `resource_link`s of its results that lead to another host are withheld; its own is among them. `undefined`: every host. */
  readonly linkHosts: readonly string[] | undefined
  /** The tasks extension may be used with it (SEP-2663). */
  readonly allowTasks: boolean
}

/** `http`: Streamable HTTP, or, where `auto` finds it, HTTP+SSE of 2024-11-05. */
export type UpstreamTransport =
  | { readonly kind: 'auto' | 'http' | 'sse' }
  | {
      readonly kind: 'stdio'
      /** Argument vector; never a shell's. */
      readonly command: readonly [string, ...string[]]
      /** All of its environment: what the configuration sets, and the few names that are let through from ours. */
      readonly environment: Readonly<Record<string, string>>
      /** Values of it that may be secrets: none of them is written down, also when the process says it. */
      readonly secrets: readonly string[]
      readonly directory: string | undefined
      readonly processes: number
      /** What it writes to stderr comes out of ours, line by line. */
      readonly logsStderr: boolean
    }

/** What an upstream may ask the caller's side for, in the middle of a request (MCP 2026-07-28 basic/patterns/mrtr). */
export interface QuestionPolicy {
  readonly form: boolean
  readonly url: boolean
  readonly sampling: boolean
  readonly roots: boolean
  /** Hosts that URLs it sends people to may have, lower case, with a port where one is used; the upstream's own is among them. */
  readonly urlHosts: readonly string[]
}

/** One entry of `tools/<alias>.yaml`, in plain values. Compiled rules stay inside policy/. */
export interface ItemPolicy {
  /** Exact upstream name, URI or URI template, or a glob with `*`. */
  readonly key: string
  /** `tools/github.yaml#/tools/create_issue` */
  readonly address: string
  /** Of a tool; prompts and resources are reads. */
  readonly effect: Effect
  /** Of a resource entry: URIs that no list and no template names may be read too. */
  readonly unlisted: boolean
  readonly discoverable: boolean
  readonly limit: LimitPolicy | undefined
  readonly idempotency: IdempotencyPolicy | undefined
  readonly result: ResultPolicy
  readonly audit: { readonly keep: readonly string[] }
}

export interface LimitPolicy {
  readonly calls: number
  readonly perMs: number
  readonly by: 'principal' | 'client' | 'tenant' | 'tool'
  readonly burst: number
  readonly cost: number
}

export interface IdempotencyPolicy {
  /** `header`: `Idempotency-Key` or `_meta`; a JSON Pointer: that argument; `derived`: from the arguments, within the window. */
  readonly key: 'header' | 'derived' | { readonly argument: string }
  readonly required: boolean
  readonly ttlMs: number
  readonly windowMs: number
}

export interface ResultPolicy {
  readonly maxBytes: number
  /** What becomes of a result that is larger: a notice, or as much of its texts as fits. */
  readonly over: 'withhold' | 'truncate'
  readonly schema: 'block' | 'warn'
  /** What becomes of one with hidden or control characters: passed and marked, spelled out, or withheld. */
  readonly characters: 'flag' | 'escape' | 'block'
}

export interface HttpConfig {
  /** Host header values that are served (host or host:port, lower case). Derived from publicUrl when not given. */
  readonly hosts: readonly string[]
  /** Origin header values that are served; others get 403. */
  readonly origins: readonly string[]
  readonly maxBodyBytes: number
}

export interface PinConfig {
  readonly onFirstUse: 'pending' | 'trust'
  readonly pollMs: number
  readonly maxStaleMs: number
  /** Whose signature every lock file must carry; empty: none is asked for. */
  readonly signers: readonly PinSigner[]
}

export interface PinSigner {
  /** The name of the key in signatures. */
  readonly keyId: string
  /** Ed25519, PEM (SPKI). */
  readonly publicKey: string
}

export interface LimitsConfig {
  /** How a tools/call over a limit is answered: a tool result the model can read, or HTTP 429. */
  readonly refusal: 'tool' | 'http'
  /** Failed authentications one address may make per minute. */
  readonly failedAuthPerMinute: number
  /** list and discover requests one principal may make per minute. */
  readonly listsPerMinute: number
  /** Completions, task requests and new subscriptions one principal may make per minute. */
  readonly requestsPerMinute: number
  /** Subscriptions one principal may hold open in one process. */
  readonly subscriptions: number
  /** Processes that share a limit when the store is lost and each goes on alone. */
  readonly nodes: number
}
