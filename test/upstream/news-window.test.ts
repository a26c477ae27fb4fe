import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { UpstreamNews } from '../../src/mcp/index.ts'
import { NewsWindow } from '../../src/upstream/news-window.ts'

let told: UpstreamNews[]
let news: NewsWindow
beforeEach(() => {
  vi.useFakeTimers()
  told = []
  news = new NewsWindow(item => told.push(item))
})
afterEach(() => void vi.useRealTimers())

const updated = (uri: string): UpstreamNews => ({ kind: 'resource_updated', uri })
const TOOLS: UpstreamNews = { kind: 'list_changed', list: 'tools' }
const PROMPTS: UpstreamNews = { kind: 'list_changed', list: 'prompts' }
const TASK: UpstreamNews = { kind: 'task', taskId: 't' }

it('tells what is new at once, each thing for itself', () => {
  for (const item of [TOOLS, PROMPTS, updated('a:1'), updated('a:2'), TASK]) news.take(item)
  expect(told).toHaveLength(5)
})

it('tells ten thousand repetitions in a second four times, and the last of them', async () => {
  for (let at = 0; at < 10_000; at++) {
    news.take(TOOLS)
    if (at % 10 === 0) await vi.advanceTimersByTimeAsync(1)
  }
  expect(told.length).toBeLessThanOrEqual(5)
  const before = told.length
  news.take(TOOLS)
  await vi.advanceTimersByTimeAsync(250)
  expect(told).toHaveLength(before + 1)
})

it('of a task that went on within the window it tells once more at its end', async () => {
  for (let steps = 0; steps < 3; steps++) news.take(TASK)
  await vi.advanceTimersByTimeAsync(250)
  expect(told).toEqual([TASK, TASK])
})

it('keeps nothing once nothing is said any more', async () => {
  news.take(TOOLS)
  news.take(TOOLS)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
  news.take(TOOLS)
  expect(told).toHaveLength(3)
})

it('is silent once closed', async () => {
  news.take(TOOLS)
  news.take(TOOLS)
  news.close()
  news.take(PROMPTS)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toEqual([TOOLS])
})
