import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Connect } from '../../src/cli/connect.ts'
import { shellWord } from '../../src/cli/policy-folder.ts'
import { serverWords } from '../../src/cli/server-words.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { identityOfCommand } from '../../src/policy/configure-stdio.ts'
import { temporaryFolder } from '../catalog/stub.ts'
import { wicketgate } from './terminal.ts'

test.each([
  ['http://127.0.0.1:9000/mcp', 'http://127.0.0.1:9000/mcp'],
  [identityOfCommand(['mcp-server-filesystem', '/srv/share']), 'mcp-server-filesystem /srv/share'],
  [identityOfCommand(['/opt/my server', '', "it's"]), `'/opt/my server' '' 'it'\\''s'`],
  [identityOfCommand(['a', '\u202eb\n']), `a '\\u{202e}b\\u{a}'`],
  ['stdio:%5B', 'stdio:%5B'],
  ['stdio:%', 'stdio:%'],
  ['stdio:[]', 'stdio:[]'],
  ['stdio:[1]', 'stdio:[1]'],
  ['x\u202e', 'x\\u{202e}'],
])('the server of %j is shown as %s', (url, words) => {
  expect(serverWords(url)).toBe(words)
})

const answer = (result: object) => parseJsonText(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))

describe('pins', () => {
  async function folderOf(command: readonly string[]): Promise<string> {
    const folder = await temporaryFolder()
    await writeFile(
      join(folder, 'gateway.yaml'),
      'version: 1\npublicUrl: http://127.0.0.1:8080\nendpoints: [{ path: /mcp, upstreams: [files], anonymous: {} }]\n' +
        `upstreams: { files: { stdio: { command: ${JSON.stringify(command)} } } }\n`,
    )
    return folder
  }

  test('show the command of a process as it was written, and programs its url', async () => {
    const command = [process.execPath, join(import.meta.dirname, '../../examples/nothing.js'), 'a b']
    const folder = await folderOf(command)
    const asWritten = `${command.slice(0, 2).map(shellWord).join(' ')} 'a b'\n`
    const list = (...words: readonly string[]) => wicketgate(['pins', 'list', '--policies', folder, ...words])
    expect((await list()).out).toContain(`files  ${asWritten}`)
    expect((await list('--markdown')).out).toContain(`files  ${asWritten}`)
    expect(JSON.parse((await list('--json')).out)).toMatchObject({ upstreams: [{ url: identityOfCommand(command) }] })

    const silent: Connect = () => ({
      fetchList: () => Promise.resolve(answer({ tools: [], prompts: [], resources: [], resourceTemplates: [] })),
      discover: () => Promise.resolve(answer({})),
      close: () => Promise.resolve(),
    })
    const fetch = (...words: readonly string[]) => wicketgate(['pins', 'fetch', '--policies', folder, ...words], {}, silent)
    expect((await fetch()).out).toContain(`files  ${asWritten}`)
    expect((await fetch('--markdown')).out).toContain(asWritten)
    expect(JSON.parse((await fetch('--json')).out)).toMatchObject({ upstreams: [{ url: identityOfCommand(command) }] })
  })
})
