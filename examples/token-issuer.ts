/**
 * An issuer for trying the gateway with tokens without one of your own. It prints a token with the scopes it is given and publishes its key;
 * a real one would ask who you are first.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

const USAGE = `usage: npm exec -- node examples/token-issuer.ts [options] [SCOPE...]

  --scope <scopes>   scopes of the token, beside those that stand alone; more than one: in quotes, or the option again
  --audience <url>   the endpoint the token is for, and no other: publicUrl and path (RESOURCE; http://127.0.0.1:8080/mcp)
  --port <port>      of this issuer, on this machine only (PORT; 9000)
  --help             this text

It prints a token that is good for an hour, and serves its key until Ctrl+C. Another token: end it and start it again.
`

const { values, positionals } = readWords()
if (values.help) {
  process.stdout.write(USAGE)
  process.exit()
}
const port = Number(values.port)
const issuer = `http://127.0.0.1:${port}`
/** RFC 8707. */
const resource = values.audience
const scope = [...(values.scope ?? []), ...positionals].join(' ')

const { publicKey, privateKey } = await generateKeyPair('ES256')
const kid = randomUUID()
const token = await new SignJWT({ client_id: 'trial', scope })
  .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
  .setIssuer(issuer)
  .setSubject('ann')
  .setAudience(resource)
  .setIssuedAt()
  .setExpirationTime('1h')
  .setJti(randomUUID())
  .sign(privateKey)

const documents = new Map<string | undefined, object>([
  ['/.well-known/oauth-authorization-server', { issuer, jwks_uri: `${issuer}/jwks`, response_types_supported: [] }],
  ['/jwks', { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }] }],
])
const server = createServer((request, response) => {
  const document = documents.get(request.url)
  response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(document ?? {}))
})
server.on('error', (error: NodeJS.ErrnoException) => {
  const isTaken = error.code === 'EADDRINUSE'
  leave(
    isTaken ? `port ${port} of 127.0.0.1 is taken, perhaps by another issuer. End that one, or choose another with --port` : error.message,
  )
})
server.listen(port, '127.0.0.1', () => {
  const scopes = scope === '' ? 'no scopes' : `scopes ${scope}`
  process.stdout.write(`an issuer at ${issuer}; its token for ${resource}, with ${scopes}, is good for an hour:\nTOKEN=${token}\n`)
})

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        scope: { type: 'string', multiple: true },
        audience: { type: 'string', default: process.env.RESOURCE ?? 'http://127.0.0.1:8080/mcp' },
        port: { type: 'string', default: process.env.PORT ?? '9000' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    return leave(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

function leave(why: string): never {
  process.stderr.write(`${why.trimEnd()}\n`)
  process.exit(1)
}
