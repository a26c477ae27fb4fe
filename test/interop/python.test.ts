import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Uninstallable } from '../../interop/peers.ts'
import { preparePython } from '../../interop/python.ts'

test('where there is no Python that is said as such, and nothing half made is kept', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'wicketgate-interop-'))
  try {
    await expect(preparePython('current', cache, 'no-such-python')).rejects.toThrow(Uninstallable)
    expect(await readdir(cache)).toEqual([])
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
})
