import { isIP } from 'node:net'

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/

/**
 * Exactly one Host header, naming an IP address (a page cannot have one as its origin unless it is served from there),
 * `localhost`, or a configured name; the port does not matter.
 */
export function isHostAllowed(rawHeaders: readonly string[], hosts: readonly string[]): boolean {
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'host') continue
    if (host !== undefined) return false
    host = rawHeaders[index + 1]?.toLowerCase()
  }
  const [, ipv6, name] = (host !== undefined && HOST.exec(host)) || []
  if (ipv6 !== undefined) return isIP(ipv6) === 6
  return (
    name !== undefined && (isIP(name) === 4 || name === 'localhost' || hosts.includes(name) || (host !== undefined && hosts.includes(host)))
  )
}
