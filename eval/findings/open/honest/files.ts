import { type HonestServer, objectOf, text, tool } from '../../example.ts'

const READ = { annotations: { readOnlyHint: true } }

const THINK = `A tool for solving a problem in steps that may be revised.

When to use this tool:
- problems that have to be broken down
- plans that may need correction on the way
- when information that does not matter has to be filtered out

You should:
1. Begin with a guess of how many steps are needed, and be ready to adjust it
2. Feel free to question or revise earlier thoughts
3. Express uncertainty where there is some
4. Ignore information that is irrelevant for the current step
5. Only set nextThoughtNeeded to false when you are truly done`

export const filesystem: HonestServer = {
  name: 'filesystem',
  items: [
    tool(
      'read_text_file',
      'Reads a whole file as text, whatever its encoding, and says why when it cannot. Use "head" or "tail" for the first or last lines only. Works within the allowed directories.',
      { path: text(), head: { type: 'number' }, tail: { type: 'number' } },
      READ,
    ),
    tool(
      'read_multiple_files',
      'Reads several files in one go, which is faster than one after the other. A file that cannot be read does not stop the rest. Works within the allowed directories.',
      { paths: { type: 'array', items: text() } },
      READ,
    ),
    tool(
      'write_file',
      'Creates a file, or overwrites one without warning, so use it with caution. Text only. Works within the allowed directories.',
      { path: text(), content: text() },
      { annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true } },
    ),
    tool(
      'edit_file',
      'Replaces lines of a text file by others and returns a diff in the style of git. Always try dryRun first when the edit is large.',
      {
        path: text(),
        edits: {
          type: 'array',
          items: objectOf({ oldText: text('Text to search for, must match exactly'), newText: text('Text to put in its place') }),
        },
        dryRun: { type: 'boolean', default: false, description: 'Preview the changes as a diff' },
      },
    ),
    tool('list_directory', 'Lists files and folders, marked [FILE] and [DIR], to get an overview of a project.', { path: text() }, READ),
    tool(
      'search_files',
      'Searches for files and folders by a pattern, below a start path. Patterns are globs: `*.ts` in this folder, `**/*.ts` in all. Hidden files such as .env and .git are left out unless the pattern names them.',
      { path: text(), pattern: text(), excludePatterns: { type: 'array', items: text(), default: [] } },
      READ,
    ),
    tool(
      'list_allowed_directories',
      'Lists the directories this server may use. Call it to understand which paths are available before you try to access files.',
      {},
      READ,
    ),
    {
      kind: 'resourceTemplate',
      descriptor: {
        uriTemplate: 'file:///{+path}',
        name: 'File',
        description: 'Any file within the allowed directories',
        mimeType: 'text/plain',
      },
    },
  ],
  changes: [
    {
      what: 'annotations are added',
      kind: 'tool',
      before: { name: 'list_directory', description: 'Lists files and folders.', inputSchema: objectOf({ path: text() }) },
      after: {
        name: 'list_directory',
        description: 'Lists files and folders.',
        inputSchema: objectOf({ path: text() }),
        annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
      },
    },
    {
      what: 'an optional argument is added, and explained',
      kind: 'tool',
      before: {
        name: 'search_files',
        description: 'Searches for files.',
        inputSchema: objectOf({ path: text() }, { additionalProperties: false }),
      },
      after: {
        name: 'search_files',
        description: 'Searches for files. With maxDepth, only so many levels down.',
        inputSchema: objectOf(
          { path: text(), maxDepth: { type: 'integer', minimum: 1 } },
          { required: ['path'], additionalProperties: false },
        ),
      },
    },
  ],
}

export const git: HonestServer = {
  name: 'git',
  items: [
    tool('git_status', 'Shows the status of the working tree', { repo_path: text() }, READ),
    tool('git_diff_unstaged', 'Shows changes in the working directory that are not staged yet', {
      repo_path: text(),
      context_lines: { type: 'integer', default: 3, description: 'Lines of context around each change' },
    }),
    tool('git_commit', 'Records the staged changes with a message', { repo_path: text(), message: text() }),
    tool('git_add', 'Stages the contents of files', { repo_path: text(), files: { type: 'array', items: text() } }),
    tool('git_reset', 'Unstages all staged changes. The working tree stays as it is.', { repo_path: text() }),
    tool('git_log', 'Shows commits. Timestamps may be relative ("2 weeks ago", "yesterday") or ISO 8601.', {
      repo_path: text(),
      max_count: { type: 'integer', default: 10 },
      start_timestamp: { anyOf: [text(), { type: 'null' }], default: null },
    }),
    tool('git_checkout', 'Switches branches', { repo_path: text(), branch_name: text() }),
    {
      kind: 'prompt',
      descriptor: {
        name: 'commit-message',
        title: 'Commit message',
        description: 'Writes a commit message for what is staged, in the style of Conventional Commits',
        arguments: [{ name: 'changes', description: 'Output of git diff --cached', required: true }],
      },
    },
  ],
  changes: [
    {
      what: 'a description is made clearer',
      kind: 'tool',
      before: { name: 'git_checkout', description: 'Switches branches', inputSchema: objectOf({ branch_name: text() }) },
      after: { name: 'git_checkout', description: 'Switches to an existing branch', inputSchema: objectOf({ branch_name: text() }) },
    },
    {
      what: 'an enum is narrowed',
      kind: 'tool',
      before: {
        name: 'git_branch',
        description: 'Lists branches',
        inputSchema: objectOf({ branch_type: { enum: ['local', 'remote', 'all'] } }),
      },
      after: { name: 'git_branch', description: 'Lists branches', inputSchema: objectOf({ branch_type: { enum: ['local', 'remote'] } }) },
    },
  ],
}

export const memory: HonestServer = {
  name: 'memory',
  items: [
    tool('create_entities', 'Creates entities in the knowledge graph', {
      entities: {
        type: 'array',
        items: objectOf({
          name: text('Name of the entity'),
          entityType: text('Type of the entity'),
          observations: { type: 'array', items: text() },
        }),
      },
    }),
    tool('create_relations', 'Creates relations between entities. Relations should be in active voice', {
      relations: { type: 'array', items: objectOf({ from: text(), to: text(), relationType: text() }) },
    }),
    tool('add_observations', 'Adds observations to entities that exist already in the knowledge graph', {
      observations: { type: 'array', items: objectOf({ entityName: text(), contents: { type: 'array', items: text() } }) },
    }),
    tool(
      'delete_entities',
      'Deletes entities and the relations they are part of',
      { entityNames: { type: 'array', items: text() } },
      {
        annotations: { destructiveHint: true },
      },
    ),
    tool('search_nodes', 'Searches nodes by their names, types and observations', { query: text() }, READ),
    tool('think_in_steps', THINK, {
      thought: text('Your current step of thinking'),
      nextThoughtNeeded: { type: 'boolean', description: 'Whether another step is needed' },
      thoughtNumber: { type: 'integer', minimum: 1 },
    }),
  ],
}
