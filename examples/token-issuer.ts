/**
 * An issuer for trying the gateway with tokens without one of your own. It prints a token with the scopes it is given and publishes its key;
 * a real one would ask who you are first.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import './end-with-npm.ts'

const USAGE = `usage: npm exec -- node examples/token-issuer.ts [options] [SCOPE...]

  --scope <scopes>   scopes of the token, beside those that stand alone; more than one: in quotes, or the option again
  --subject <name>   who it is about (ann)
  --claim <n=value>  one more claim, or another value of one that is there; the option again for more. JSON, or else text:
                     --claim org=acme --claim 'groups=["support"]' --claim client_id=cron
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

const claims = Object.fromEntries((values.claim ?? []).map(readClaim))
const { publicKey, privateKey } = await generateKeyPair('ES256')
const kid = randomUUID()
const token = await new SignJWT({ client_id: 'trial', scope, ...claims })
  .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
  .setIssuer(issuer)
  .setSubject(values.subject)
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
  const also = Object.keys(claims).length === 0 ? '' : ` and ${JSON.stringify(claims)}`
  const scopes = scope === '' ? 'no scopes' : `scopes ${scope}`
  process.stdout.write(
    `an issuer at ${issuer}; its token for ${values.subject} at ${resource}, with ${scopes}${also}, is good for an hour:\nTOKEN=${token}\n`,
  )
})

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        scope: { type: 'string', multiple: true },
        subject: { type: 'string', default: 'ann' },
        claim: { type: 'string', multiple: true },
        audience: { type: 'string', default: process.env.RESOURCE ?? 'http://127.0.0.1:8080/mcp' },
        port: { type: 'string', default: process.env.PORT ?? '9000' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    return leave(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

function readClaim(text: string): readonly [name: string, value: unknown] {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? leave(`--claim ${text}: write name=value\n\n${USAGE}`)
  try {
    return [String(name), JSON.parse(value)]
  } catch {
    return [String(name), value]
  }
}

function leave(why: string): never {
  process.stderr.write(`${why.trimEnd()}\n`)
  process.exit(1)
}
