import { readFile } from 'node:fs/promises'
import { parseSigningKey, type SigningKey } from '../catalog/index.ts'
import type { Configuration } from '../core/configuration.ts'
import { CommandFailed } from './command-failed.ts'

/** The private key of a file, which must be a signer's where there are signers. */
export async function loadSigningKey(path: string, { pins }: Configuration): Promise<SigningKey> {
  try {
    return parseSigningKey(await readFile(path, 'utf8'), pins.signers)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CommandFailed(`the key ${path} cannot be used: ${code ?? message}`)
  }
}
