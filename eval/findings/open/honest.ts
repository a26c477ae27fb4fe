import type { HonestServer } from '../example.ts'
import { maps, payments, postgres, weather } from './honest/data.ts'
import { filesystem, git, memory } from './honest/files.ts'
import { calendar, github, slack } from './honest/teams.ts'
import { browser, docs, images, search } from './honest/web.ts'

export const honest: readonly HonestServer[] = [
  filesystem,
  git,
  memory,
  github,
  slack,
  calendar,
  postgres,
  maps,
  weather,
  payments,
  browser,
  docs,
  search,
  images,
]
