import { type Scene, type SceneOptions, startScene } from './scene.ts'

/** Three resources, two of which the usual token may read. */
const RESOURCES = ['open/a', 'open/b', 'closed/c'].map(path => ({ uri: `file:///${path}`, name: path }))
export const POLICY = `  send: { effect: write, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
resources:
  "file:///open/*": { allow: [{ scopes: [tools:read] }] }
  "file:///closed/*": { allow: [{ scopes: [tools:admin] }] }`

export function startResourceScene(options: SceneOptions = {}): Promise<Scene> {
  return startScene({ policy: POLICY, stub: { resources: RESOURCES }, ...options })
}
