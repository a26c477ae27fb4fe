import { expect, it } from 'vitest'
import { isLoopback } from '../../src/core/loopback.ts'

it.each(['localhost', '127.0.0.1', '127.9.9.9', '127.255.255.255', '::1', '[::1]'])('%s is this machine', host => {
  expect(isLoopback(host)).toBe(true)
})

it.each([
  '128.0.0.1',
  '10.0.0.1',
  '0.0.0.0',
  '127.0.0.256',
  '127.0.0.1.evil.example',
  '127.evil.example',
  'x127.0.0.1',
  'app.localhost',
  'localhost.evil.example',
  '::2',
  '::',
  '',
])('%s may be another', host => {
  expect(isLoopback(host)).toBe(false)
})
