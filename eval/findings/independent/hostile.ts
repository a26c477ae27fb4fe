import type { HostileSet } from '../example.ts'
import { fullSchemaPoisoning } from './full-schema.ts'
import { hiddenCharacters } from './hidden-characters.ts'
import { lineJumping } from './line-jumping.ts'
import { perUserPoisoning } from './per-user.ts'
import { preferenceManipulation } from './preference.ts'
import { rugPull } from './rug-pull.ts'
import { shadowing } from './shadowing.ts'
import { toolPoisoning } from './tool-poisoning.ts'

export const hostile: HostileSet = {
  'tool poisoning': toolPoisoning,
  'full-schema poisoning': fullSchemaPoisoning,
  'line jumping': lineJumping,
  shadowing,
  'hidden characters': hiddenCharacters,
  'preference manipulation': preferenceManipulation,
  'rug pull': rugPull,
  'per-user poisoning': perUserPoisoning,
}
