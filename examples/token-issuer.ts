/**
 * `npm exec -- node examples/token-issuer.ts [SCOPE…]`: an issuer for trying the gateway with tokens without one of your own. It prints a token with these
 * scopes and publishes its key; a real one would ask who you are first.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

const port = Number(process.env.PORT ?? 9000)
const issuer = `http://127.0.0.1:${port}`
/** The token is for this endpoint and for no other (RFC 8707). */
const resource = process.env.RESOURCE ?? 'http://127.0.0.1:8080/mcp'

const { publicKey, privateKey } = await generateKeyPair('ES256')
const kid = randomUUID()
const token = await new SignJWT({ client_id: 'trial', scope: process.argv.slice(2).join(' ') })
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
createServer((request, response) => {
  const document = documents.get(request.url)
  response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(document ?? {}))
}).listen(port, '127.0.0.1', () => {
  process.stdout.write(`an issuer at ${issuer}; its token for ${resource} is good for an hour:\nTOKEN=${token}\n`)
})
