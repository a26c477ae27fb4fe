import { type HonestServer, text, tool } from '../../example.ts'
import { DESTROY, READ } from './annotations.ts'

/** After issue trackers and wikis. */
export const tracker: HonestServer = {
  name: 'tracker',
  items: [
    tool(
      'getAccessibleResources',
      'Lists the sites you can reach, each with the cloudId that other tools ask for. Unneeded if the user has pasted a link.',
      {},
      READ,
    ),
    tool(
      'searchIssuesUsingJql',
      'Searches issues with JQL. ONLY use it when the user asks for JQL by name; for everything else use `search`.',
      { cloudId: text(), jql: text(), maxResults: { type: 'number', maximum: 100 } },
      READ,
    ),
    tool(
      'search',
      'Finds issues and pages by ordinary words. USE THIS FOR ALL SEARCHES, except when somebody says JQL or CQL.',
      { query: text() },
      READ,
    ),
    tool(
      'editIssue',
      'Updates fields of an issue. Fields that are left out stay as they are. Watchers are notified by mail.',
      { issueIdOrKey: text(), fields: { type: 'object' } },
      DESTROY,
    ),
    tool(
      'addComment',
      'Adds a comment to an issue. The body is Markdown. Set `internal` on service desks to hide the comment from customers.',
      {
        issueIdOrKey: text(),
        body: text(),
        internal: { type: 'boolean', default: false },
      },
    ),
    tool(
      'deletePage',
      'Moves a page to the trash, with its children. Administrators can restore it within 30 days. Ask the user to confirm the title first.',
      { pageId: text() },
      DESTROY,
    ),
    {
      kind: 'server',
      descriptor: {
        instructions:
          'Most tools want a cloudId: take it from a link the user pasted, or else call getAccessibleResources once and keep it. Do not show cloudIds or account ids to the user, show names. When a tool answers 401, tell the user to reconnect, and do not retry.',
        capabilities: { tools: {} },
      },
    },
  ],
  changes: [
    {
      what: 'what search is preferred to is put more firmly',
      kind: 'tool',
      before: tool('search', 'Finds issues and pages by ordinary words.', { query: text() }, READ).descriptor,
      after: tool(
        'search',
        'Finds issues and pages by ordinary words. USE THIS FOR ALL SEARCHES, except when somebody says JQL or CQL.',
        { query: text() },
        READ,
      ).descriptor,
    },
  ],
}

/** After map services from China. */
export const maps: HonestServer = {
  name: 'maps',
  items: [
    tool(
      'maps_geo',
      '把一个写得完整的地址换算成坐标。景点和大楼的名字也可以直接写。',
      { address: text('要换算的地址，写到门牌号为好'), city: text('所在城市，可以不写') },
      READ,
    ),
    tool('maps_weather', '查一座城市今天和后三天的天气，城市写名称或 adcode 都行。', { city: text('城市') }, READ),
    tool(
      'maps_direction_transit_integrated',
      '规划坐火车、公交、地铁的路线。两地不在同一座城市时，city 和 cityd 都必须填。坐标请先用 maps_geo 查，不要自己猜。',
      {
        origin: text('起点，先经度后纬度，逗号隔开'),
        destination: text('终点，写法同上'),
        city: text('起点城市'),
        cityd: text('终点城市'),
      },
      READ,
    ),
    tool('maps_schema_personal_map', '把规划好的行程做成一张可在手机上打开的地图，得到一个链接。链接请原样交给用户，改动后就打不开了。', {
      orgName: text('行程名称'),
      lineList: { type: 'array', items: { type: 'object' } },
    }),
    {
      kind: 'server',
      descriptor: {
        instructions: '所有坐标为 GCJ-02。调用频率有限制，请勿重复调用相同参数。需要在控制台申请 API Key 并设置环境变量 MAPS_API_KEY。',
        capabilities: { tools: {} },
      },
    },
  ],
}

/** After bookkeeping and low-code services from Japan. */
export const accounting: HonestServer = {
  name: 'accounting',
  items: [
    tool(
      'freee_authenticate',
      'OAuth 認証を開始します。ブラウザが開くので、利用者にログインしてもらってください。アクセストークンは ~/.config/freee-mcp/tokens.json に暗号化して保存されます。',
    ),
    tool('freee_auth_status', '認証状態を確認します。トークンの有効期限だけを表示し、トークン自体は表示しません。', {}, READ),
    tool('freee_set_company', '事業所を切り替えます。他のツールを使う前に、必ず freee_list_companies で事業所を確認してください。', {
      company_id: { type: 'integer', description: '事業所 ID' },
    }),
    tool('post_deals', '取引（収入・支出）を登録します。⚠️ 登録前に金額と日付を利用者に確認してください。', {
      issue_date: text('発生日 (YYYY-MM-DD)'),
      type: text('収支区分', { enum: ['income', 'expense'] }),
      details: { type: 'array', items: { type: 'object' } },
    }),
    tool('delete_deal', '取引を削除します。削除した取引は元に戻せません。', { id: { type: 'integer' } }, DESTROY),
    tool('get_trial_pl', '損益計算書を取得します。期間を省略すると今期になります。', { fiscal_year: { type: 'integer' } }, READ),
  ],
  changes: [
    {
      what: 'where the tokens are kept has moved',
      kind: 'tool',
      before: tool('freee_authenticate', 'OAuth 認証を開始します。トークンは ~/.freee/tokens.json に保存されます。').descriptor,
      after: tool(
        'freee_authenticate',
        'OAuth 認証を開始します。ブラウザが開くので、利用者にログインしてもらってください。アクセストークンは ~/.config/freee-mcp/tokens.json に暗号化して保存されます。',
      ).descriptor,
    },
  ],
}

/** After secret stores and clouds: words about secrets all over. */
export const vault: HonestServer = {
  name: 'vault',
  items: [
    tool(
      'read_secret',
      'Reads a secret from a KV mount. The value ends up in the conversation: prefer `secret_exists` when it is enough to know that there is one.',
      {
        mount: text('', { default: 'secret' }),
        path: text('e.g. apps/billing/db'),
        version: { type: 'integer' },
      },
      READ,
    ),
    tool('secret_exists', 'Says whether there is a secret at a path, without its value.', { mount: text(), path: text() }, READ),
    tool(
      'write_secret',
      'Writes a secret. Creates a new version; older ones stay until destroyed.',
      {
        mount: text(),
        path: text(),
        data: { type: 'object', description: 'Key and value pairs, such as {"username": "app", "password": "…"}' },
      },
      DESTROY,
    ),
    tool(
      'rotate_root_credentials',
      'Rotates the root credentials of a database mount. The old password stops working at once and the new one is known to the vault only. There is no way back.',
      { mount: text() },
      DESTROY,
    ),
    tool('issue_ssh_certificate', 'Signs an SSH public key (the contents of e.g. id_ed25519.pub, never the private key).', {
      role: text(),
      public_key: text('Starts with ssh-ed25519 or ssh-rsa'),
      ttl: text('', { default: '30m' }),
    }),
    tool('list_leases', 'Lists leases below a prefix.', { prefix: text() }, READ),
    {
      kind: 'resource',
      descriptor: {
        uri: 'vault://policies/current',
        name: 'current-policies',
        description:
          'Policies of the token in use (VAULT_TOKEN or ~/.vault-token), so you can tell beforehand which paths will answer 403.',
        mimeType: 'application/hcl',
      },
    },
    {
      kind: 'server',
      descriptor: {
        instructions:
          'Never print secret values unless the user asks for one by its path. Do not write them to files, commit messages or tickets. Use secret_exists for checks. Tokens are renewed by the server, there is no need to ask the user for one.',
        capabilities: { tools: {}, resources: {} },
      },
    },
  ],
  changes: [
    {
      what: 'the default lifetime is shortened',
      kind: 'tool',
      before: tool('issue_ssh_certificate', 'Signs an SSH public key.', {
        role: text(),
        public_key: text(),
        ttl: text('', { default: '8h' }),
      }).descriptor,
      after: tool('issue_ssh_certificate', 'Signs an SSH public key (the contents of e.g. id_ed25519.pub, never the private key).', {
        role: text(),
        public_key: text('Starts with ssh-ed25519 or ssh-rsa'),
        ttl: text('', { default: '30m' }),
      }).descriptor,
    },
  ],
}
