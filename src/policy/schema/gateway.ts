import { z } from 'zod'
import { verifyingKeyProblem } from '../signer-rules.ts'
import { issuerProblem, jwksUrlProblem, publicUrlProblem } from '../url-rules.ts'
import { aliasSchema, countSchema, durationSchema, hostSchema, scopeSchema, textSchema, versionSchema } from './scalars.ts'
import { upstreamSchema } from './upstream.ts'

const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA', 'Ed25519'] as const

const endpointSchema = z
  .strictObject({
    path: z
      .string()
      .regex(
        /^(\/|(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+)$/,
        'a path begins with "/", has no trailing "/", and is made of letters, digits and . _ ~ -',
      )
      .refine(path => !/^\/(\.well-known|healthz|readyz)(\/|$)/.test(path), 'this path is served by the gateway itself')
      .describe('Where callers POST. Its OAuth resource is publicUrl + path.'),
    upstreams: z.array(aliasSchema).min(1).describe('Aliases of the upstreams behind this endpoint, in the order of its lists.'),
    names: z
      .enum(['prefixed', 'upstream'])
      .default('prefixed')
      .describe('prefixed: alias__tool. upstream: the bare name, only with a single upstream. Default: prefixed.'),
    scopes: z
      .array(scopeSchema)
      .optional()
      .describe(
        'Scopes a client is told to ask for first. Default: all scopes in allow rules of `effect: read` tools, prompts and resources of these upstreams, sorted.',
      ),
    minProtocolVersion: z
      .enum(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])
      .default('2025-03-26')
      .describe('The oldest revision of MCP that callers may speak here; 2026-07-28 ends sessions. Default: 2025-03-26.'),
    anonymous: z
      .strictObject({ scopes: z.array(scopeSchema).default([]).describe('What callers without a token may do.') })
      .optional()
      .describe(
        'For development only: callers without a token get a principal with these scopes. Refused unless the listener is loopback or the override is set.',
      ),
  })
  .describe('One path we serve, with its own OAuth resource and its own upstreams.')

const issuerSchema = z
  .strictObject({
    issuer: textSchema(issuerProblem).describe('The exact `iss` of its tokens: an https URL without query or fragment (http on loopback).'),
    jwksUrl: textSchema(jwksUrlProblem)
      .optional()
      .describe('Where its keys are. Default: found through its metadata (RFC 8414, then OpenID Connect Discovery).'),
    algorithms: z
      .array(
        z.enum(ALGORITHMS, {
          error: issue =>
            String(issue.input).startsWith('HS') ? 'a shared-secret algorithm cannot prove who signed; use an asymmetric one' : undefined,
        }),
      )
      .min(1)
      .default(['ES256', 'RS256'])
      .describe('Signature algorithms this issuer may use, asymmetric only. Default: ES256, RS256.'),
    audience: z
      .array(z.string().min(1).max(512))
      .min(1)
      .optional()
      .describe('Accepted `aud` values. Default: the resource of the endpoint.'),
    tenantClaim: z.string().min(1).max(256).optional().describe('The claim that names the tenant. Default: none.'),
    clockToleranceSeconds: z.int().min(0).max(60).default(30).describe('How far its clock may differ from ours. Default: 30.'),
    caFile: z.string().min(1).optional().describe('PEM file with extra trust anchors for fetching its keys. Default: none.'),
    allowPrivateAddress: z.boolean().default(false).describe('Its keys may come from a private or loopback address. Default: false.'),
  })
  .describe('An authorization server whose access tokens are accepted.')

const signerSchema = z
  .strictObject({
    keyId: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'a key id is 1 to 64 of A-Z, a-z, 0-9 and . _ -')
      .optional()
      .describe('What signatures call the key. Default: its thumbprint (RFC 7638).'),
    publicKey: textSchema(verifyingKeyProblem).describe('An Ed25519 public key in PEM; a variable may take it from a file.'),
  })
  .describe('A key that may sign lock files.')

export const gatewaySchema = z
  .strictObject({
    version: versionSchema,
    publicUrl: textSchema(publicUrlProblem).describe(
      'Where callers reach this gateway: https (http on loopback), without trailing slash, query or fragment.',
    ),
    endpoints: z.array(endpointSchema).min(1),
    issuers: z
      .array(issuerSchema)
      .default([])
      .describe('Whose access tokens are accepted. Default: none; then every endpoint must be anonymous.'),
    upstreams: z.record(aliasSchema, upstreamSchema).describe('The MCP servers behind the gateway, by alias.'),
    http: z
      .strictObject({
        hosts: z.array(hostSchema).min(1).optional().describe('Host header values that are served. Default: those of publicUrl.'),
        origins: z
          .array(z.string().regex(/^https?:\/\/[a-z0-9.-]+(:[0-9]{1,5})?$/, 'an origin is scheme and host in lower case, with no path'))
          .default([])
          .describe('Browser origins that are served. Default: none.'),
        maxBodyBytes: countSchema(67_108_864).default(1_048_576).describe('Largest request body. Default: 1048576.'),
      })
      .prefault({}),
    pins: z
      .strictObject({
        onFirstUse: z
          .enum(['pending', 'trust'])
          .default('pending')
          .describe('What a descriptor never seen before is. Default: pending (a person approves it).'),
        pollEvery: durationSchema.default('10m').describe('How often upstream lists are read again, at most. Default: 10m.'),
        maxStale: durationSchema
          .default('24h')
          .describe('How long the last good list may serve when an upstream cannot be read. Default: 24h.'),
        signers: z
          .array(signerSchema)
          .max(16)
          .default([])
          .describe('Who may sign lock files. When there is one, a lock file without a valid signature is refused. Default: none.'),
      })
      .prefault({}),
    limits: z
      .strictObject({
        refusal: z
          .enum(['tool', 'http'])
          .default('tool')
          .describe('How a call over its limit is answered: a tool result the model can read, or HTTP 429. Default: tool.'),
        failedAuthPerMinute: countSchema(100_000)
          .default(60)
          .describe('Failed authentications one address may make per minute. Default: 60.'),
        listsPerMinute: countSchema(1_000_000)
          .default(120)
          .describe('Lists and discoveries one principal may make per minute. Default: 120.'),
        requestsPerMinute: countSchema(1_000_000)
          .default(600)
          .describe('Completions, task requests and new subscriptions one principal may make per minute. Default: 600.'),
        subscriptions: countSchema(100_000).default(16).describe('Subscriptions one principal may hold open in one process. Default: 16.'),
        nodes: countSchema(10_000)
          .default(1)
          .describe('Processes that share the limits, for when the store is lost and each goes on alone. Default: 1.'),
      })
      .prefault({}),
  })
  .describe('Wicketgate: who is trusted, what is served, and what stands behind it.')

export type GatewayFile = z.output<typeof gatewaySchema>
