export const READ = { annotations: { readOnlyHint: true, openWorldHint: true } }
export const DESTROY = { annotations: { readOnlyHint: false, destructiveHint: true } }
