import type { HonestServer } from '../example.ts'
import { browser, crm, desktop } from './honest/desk.ts'
import { database, forge, libraryDocs } from './honest/developers.ts'
import { basics, home, workspace } from './honest/everyday.ts'
import { accounting, maps, tracker, vault } from './honest/office.ts'
import { appsec, cluster, memory, modeling } from './honest/platform.ts'
import { citizen, websearch } from './honest/public.ts'
import { codeMemory, observability, payments } from './honest/running.ts'

export const honest: readonly HonestServer[] = [
  database,
  forge,
  libraryDocs,
  browser,
  desktop,
  crm,
  tracker,
  maps,
  accounting,
  vault,
  payments,
  observability,
  codeMemory,
  home,
  workspace,
  basics,
  cluster,
  modeling,
  memory,
  appsec,
  websearch,
  citizen,
]

/** It quotes what attacks say, as an attack could that pretends to: that a person has to look at it is right. */
export const QUOTES_ATTACKS = 'appsec: scan_text_for_injection'
