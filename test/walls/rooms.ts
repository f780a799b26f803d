/**
 * The rooms of the house, and what each may import: itself, the rooms and the packages that it names, and nothing else.
 * A new folder may import nothing until it stands here.
 */
export interface Room {
  /** Matches the files of the room, from the top of the project. */
  readonly files: RegExp;
  readonly rooms: readonly string[];
  /** Packages, and modules of Node.js by their bare names. */
  readonly packages: readonly string[];
}

const folder = (path: string): RegExp => new RegExp(`^${path}/`);
const file = (path: string): RegExp => new RegExp(`^${path.replaceAll('.', '\\.')}$`);

const leaves = { rooms: [], packages: [] };

const spdx = ['@blueoak/list', 'spdx-exceptions', 'spdx-expression-parse', 'spdx-license-ids'];
const dynamodb = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb', '@aws-sdk/util-dynamodb'];

/** What every layer may use: it knows nothing of the registry. */
const ground = ['deadline', 'http-answer', 'in-parallel', 'log', 'paths', 'retry'];

export const rooms: Readonly<Record<string, Room>> = {
  // The registry, from the ground up.
  'batch-answer': { files: file('shared/batch-answer.ts'), ...leaves },
  deadline: { files: file('shared/deadline.ts'), ...leaves },
  'http-answer': { files: file('shared/http-answer.ts'), ...leaves },
  'in-parallel': { files: file('shared/in-parallel.ts'), ...leaves },
  log: { files: file('shared/log.ts'), ...leaves },
  paths: { files: file('shared/paths.ts'), ...leaves },
  retry: { files: file('shared/retry.ts'), rooms: [], packages: ['timers/promises'] },
  resources: { files: file('shared/resources.ts'), ...leaves },
  domain: {
    files: folder('shared/domain'),
    rooms: [],
    packages: [
      ...spdx,
      'spdx-license-list',
      'cvss4',
      'crypto',
      'fastest-levenshtein',
      'packageurl-js',
    ],
  },
  schemas: { files: folder('shared/schemas'), rooms: ['domain'], packages: ['zod'] },
  config: {
    files: folder('shared/config'),
    rooms: ['domain', 'resources'],
    packages: ['@aws-sdk/credential-provider-env', 'fs'],
  },
  store: {
    files: /^shared\/(store|storage\/integrity)\//,
    rooms: [...ground, 'config', 'domain', 'resources', 'schemas'],
    packages: [
      ...dynamodb,
      ...['@smithy/core', 'async_hooks', 'crypto', 'timers/promises', 'util', 'zlib'],
    ],
  },
  auth: {
    files: folder('shared/auth'),
    rooms: [...ground, 'config', 'domain', 'schemas'],
    packages: ['@aws-sdk/client-secrets-manager', 'crypto'],
  },
  queues: {
    files: folder('shared/queues'),
    rooms: [...ground, 'config', 'domain', 'resources', 'schemas'],
    packages: ['@aws-sdk/client-sqs', 'timers/promises'],
  },
  /** What packages say of themselves, in the formats of their ecosystems. */
  manifests: {
    files: folder('shared/manifests'),
    rooms: ['domain'],
    packages: ['fast-xml-parser', 'hosted-git-info'],
  },
  /** What projects depend on, as their lockfiles and bills of materials have it; also for browsers. */
  dependencies: {
    files: folder('shared/dependencies'),
    rooms: ['domain', 'manifests'],
    packages: ['js-yaml', 'jsonc-parser', 'smol-toml'],
  },
  /** What of it may be used, and what stands in the way; also for browsers. */
  checking: {
    files: folder('shared/checking'),
    rooms: ['dependencies', 'domain', 'schemas'],
    packages: [],
  },
  /** How others are asked over HTTP: with patience, and within bounds. */
  asking: {
    files: folder('shared/asking'),
    rooms: ground,
    packages: ['dns', 'http', 'https', 'net', 'stream', 'stream/web', 'zlib'],
  },
  osv: { files: folder('shared/osv'), rooms: [...ground, 'asking', 'domain'], packages: ['zod'] },
  /** What the registries say that packages come from. */
  origins: {
    files: folder('shared/origins'),
    rooms: [...ground, 'asking', 'domain', 'manifest', 'manifests'],
    packages: ['crypto', 'htmlparser2'],
  },
  'scan-reports': {
    files: folder('shared/scan-reports'),
    rooms: [...ground, 'domain', 'osv', 'schemas'],
    packages: ['zod'],
  },
  licensing: {
    files: folder('shared/licensing'),
    rooms: [...ground, 'domain', 'schemas', 'store'],
    packages: [],
  },
  forwarding: {
    files: folder('shared/forwarding'),
    rooms: [...ground, 'batch-answer', 'domain', 'queues', 'resources', 'schemas'],
    packages: [],
  },
  events: { files: folder('shared/events'), rooms: [...ground, 'schemas', 'store'], packages: [] },
  scanning: {
    files: folder('shared/scanning'),
    rooms: [
      ...ground,
      'batch-answer',
      'config',
      'domain',
      'osv',
      'queues',
      'review',
      'scan-reports',
      'schemas',
      'store',
    ],
    packages: [],
  },
  vulnerabilities: {
    files: folder('shared/vulnerabilities'),
    rooms: [...ground, 'domain', 'review', 'schemas', 'store'],
    packages: [],
  },
  /** What follows from changes of heads is listed the other way round. */
  indexing: {
    files: folder('shared/indexing'),
    rooms: [...ground, 'batch-answer', 'domain', 'review', 'schemas', 'store'],
    packages: [],
  },
  review: {
    files: folder('shared/review'),
    rooms: [...ground, 'batch-answer', 'dependencies', 'domain', 'licensing', 'schemas', 'store'],
    packages: [],
  },
  /** What origins say is kept, and asked for again. */
  facts: {
    files: folder('shared/facts'),
    rooms: [...ground, 'batch-answer', 'domain', 'queues', 'review', 'schemas', 'store'],
    packages: [],
  },
  routes: {
    files: /^shared\/route(s|-rules)\.ts$/,
    rooms: ['domain', 'paths', 'resources', 'schemas'],
    packages: ['zod'],
  },
  pages: { files: file('shared/pages.ts'), rooms: ['resources'], packages: [] },
  workers: { files: file('shared/workers.ts'), rooms: ['resources'], packages: [] },
  'function-list': {
    files: file('shared/functions.ts'),
    rooms: ['pages', 'routes', 'workers'],
    packages: [],
  },
  openapi: {
    files: folder('shared/openapi'),
    rooms: ['domain', 'manifest', 'routes', 'scan-reports', 'schemas'],
    packages: ['zod'],
  },
  http: {
    files: folder('shared/http'),
    rooms: [...ground, 'auth', 'config', 'domain', 'pages', 'routes', 'schemas', 'store'],
    packages: [
      '@middy/core',
      '@middy/http-json-body-parser',
      'aws-lambda',
      'crypto',
      'zlib',
      'zod',
    ],
  },
  gate: {
    files: folder('shared/gate'),
    rooms: [...ground, 'domain', 'schemas', 'store'],
    packages: ['fast-xml-parser', 'semver'],
  },
  worker: {
    files: folder('shared/worker'),
    rooms: [...ground, 'schemas'],
    packages: ['aws-lambda', 'timers/promises', 'zod'],
  },
  functions: {
    files: folder('functions'),
    rooms: [
      ...ground,
      ...[
        'auth',
        'cli-program',
        'config',
        'console-bundle',
        'domain',
        'events',
        'facts',
        'forwarding',
        'gate',
        'http',
        'indexing',
        'licensing',
        'manifest',
      ],
      ...[
        'openapi',
        'origins',
        'pages',
        'queues',
        'review',
        'routes',
        'scan-reports',
        'scanning',
        'schemas',
        'store',
      ],
      ...['vulnerabilities', 'web', 'worker'],
    ],
    packages: ['zod'],
  },
  /** Bundles the console, and makes its page. */
  'console-bundle': {
    files: /^console\/(bundle|page\.build|files\.build)\.ts$/,
    rooms: ['build-modules'],
    packages: ['esbuild', 'path'],
  },
  /** Where people review, in browsers: rules and types of the registry, and nothing that only runs in Node.js. */
  console: {
    files: folder('console'),
    rooms: ['checking', 'client', 'dependencies', 'domain', 'in-parallel', 'routes', 'schemas'],
    packages: ['preact'],
  },
  /** What is shown in browsers. */
  web: {
    files: folder('web'),
    rooms: [],
    packages: ['crypto', 'fs', 'module', 'path', 'swagger-ui-dist'],
  },
  /** What the project says of itself. */
  manifest: { files: /^(package|cdk)\.json$/, ...leaves },

  // How it is deployed, and run on this machine.
  settings: {
    files: /^infra\/(config|origin-addresses|restored-tables|setting-kinds)\.ts$/,
    rooms: ['domain', 'resources'],
    packages: ['@socketregistry/packageurl-js', 'aws-cdk-lib', 'zod'],
  },
  /** Works out data while bundling. */
  'build-modules': {
    files: file('infra/constructs/build-modules.ts'),
    rooms: [],
    packages: ['esbuild', 'url'],
  },
  constructs: {
    files: folder('infra/constructs'),
    rooms: [
      ...['auth', 'build-modules', 'domain', 'osv', 'pages', 'resources', 'routes', 'schemas'],
      'settings',
    ],
    packages: ['aws-cdk-lib', 'constructs', 'esbuild', 'crypto', 'fs', 'os', 'path', 'url'],
  },
  'local-aws': {
    files: folder('local-aws'),
    rooms: [],
    packages: [
      ...['@aws-sdk/client-dynamodb', 'aws-lambda', 'vitest', 'zod', 'node:sqlite'],
      ...['child_process', 'crypto', 'events', 'fs', 'fs/promises', 'http', 'module', 'net', 'os'],
      ...[
        'path',
        'process',
        'readline',
        'stream/consumers',
        'timers/promises',
        'url',
        'util',
        'zlib',
      ],
    ],
  },
  'local-run': {
    files: folder('infra/local'),
    rooms: [
      ...[
        'deadline',
        'domain',
        'facts',
        'local-aws',
        'manifest',
        'pages',
        'resources',
        'review',
        'scanning',
        'settings',
        'schemas',
      ],
      ...['store'],
    ],
    packages: [
      ...['child_process', 'events', 'fs', 'os', 'path', 'stream/consumers', 'timers/promises'],
      ...['url', 'util', 'zod'],
    ],
  },
  /** The tokens of a registry, for those who operate it. */
  'ops-tokens': {
    files: folder('infra/tokens'),
    rooms: ['auth', 'domain', 'local-run'],
    packages: ['@aws-sdk/client-secrets-manager', 'child_process', 'util'],
  },
  infra: {
    files: /^infra\/[^/]+\.(ts|json)$/,
    rooms: [
      ...['constructs', 'domain', 'function-list', 'local-run', 'openapi', 'pages', 'resources'],
      ...['routes', 'schemas', 'settings', 'workers'],
    ],
    packages: [
      ...['@socketregistry/packageurl-js', 'aws-cdk-lib', 'cdk-nag', 'child_process'],
      ...['fs', 'os', 'path', 'util', 'zod'],
    ],
  },

  // The client, and the command line on it.
  client: {
    files: folder('shared/client'),
    rooms: [...ground, 'config', 'domain', 'routes', 'schemas'],
    packages: ['undici', 'zod'],
  },
  /** The command line as one text, for what hands it out. */
  'cli-program': { files: file('cli/program.build.ts'), rooms: ['cli'], packages: [] },
  'cli-input': {
    files: folder('cli/input'),
    rooms: ['domain', 'schemas'],
    packages: ['commander', 'fs', 'readline/promises', 'stream', 'stream/consumers', 'zod'],
  },
  'cli-output': {
    files: folder('cli/output'),
    rooms: ['domain'],
    packages: ['string-width', 'util'],
  },
  'cli-completion': {
    files: folder('cli/completion'),
    rooms: ['client'],
    packages: ['commander'],
  },
  'cli-manifest': {
    files: folder('cli/manifest'),
    rooms: ['cli-input', 'domain', 'manifests', 'schemas'],
    packages: ['fs', 'path', 'smol-toml', 'zod'],
  },
  'cli-session': {
    files: folder('cli/session'),
    rooms: ['cli-input', 'cli-output', 'client', 'config', 'domain', 'schemas'],
    packages: ['commander', 'crypto', 'fs', 'os', 'path', 'stream/consumers', 'zod'],
  },
  'cli-failure': {
    files: folder('cli/failure'),
    rooms: ['cli-input', 'cli-output', 'cli-session', 'client', 'domain'],
    packages: ['commander'],
  },
  'cli-vex': {
    files: folder('cli/vex'),
    rooms: ['cli-input', 'cli-output', 'cli-session', 'client', 'domain', 'in-parallel'],
    packages: ['zod'],
  },
  /** Many packages at once. */
  'cli-many': {
    files: folder('cli/many'),
    rooms: [
      ...['cli-failure', 'cli-input', 'cli-output', 'cli-session', 'client', 'domain', 'schemas'],
    ],
    packages: ['crypto', 'timers/promises'],
  },
  /** What a leaked token did, undone in bulk. */
  'cli-undo': {
    files: folder('cli/undo'),
    rooms: [
      ...['cli-failure', 'cli-input', 'cli-many', 'cli-output', 'cli-session'],
      ...['client', 'domain', 'routes', 'schemas'],
    ],
    packages: ['crypto'],
  },
  'cli-check': {
    files: folder('cli/check'),
    rooms: [
      ...['cli-failure', 'cli-input', 'cli-many', 'cli-output', 'cli-session'],
      ...['checking', 'client', 'dependencies', 'domain', 'in-parallel', 'manifest', 'routes'],
      'schemas',
    ],
    packages: ['commander', 'fast-xml-parser', 'fs', 'path', 'sarif', 'zod'],
  },
  'cli-approved': {
    files: folder('cli/approved'),
    rooms: [
      ...['cli-check', 'cli-failure', 'cli-input', 'cli-output', 'cli-route', 'cli-session'],
      ...['client', 'domain', 'schemas'],
    ],
    packages: [],
  },
  'cli-route': {
    files: folder('cli/route'),
    rooms: [
      ...['cli-completion', 'cli-failure', 'cli-input', 'cli-manifest', 'cli-many', 'cli-output'],
      ...['cli-session', 'cli-undo', 'cli-vex'],
      ...['client', 'domain', 'retry', 'routes', 'scan-reports', 'schemas'],
    ],
    packages: ['commander', 'timers/promises', 'zod'],
  },
  'cli-review': {
    files: folder('cli/review'),
    rooms: [
      ...['cli-failure', 'cli-input', 'cli-output', 'cli-route', 'cli-session'],
      ...['client', 'domain', 'schemas'],
    ],
    packages: [],
  },
  /** What coding agents ask the registry through. */
  'cli-mcp': {
    files: folder('cli/mcp'),
    rooms: [
      ...['checking', 'cli-approved', 'cli-check', 'cli-failure', 'cli-input', 'cli-many'],
      ...[
        'cli-output',
        'cli-route',
        'cli-session',
        'client',
        'domain',
        'manifest',
        'routes',
        'schemas',
      ],
    ],
    packages: ['@modelcontextprotocol/server', 'fs', 'os', 'path', 'process', 'zod'],
  },
  cli: {
    files: /^cli\/[^/]+\.ts$/,
    rooms: [
      ...[
        'build-modules',
        'cli-approved',
        'cli-check',
        'cli-completion',
        'cli-failure',
        'cli-input',
        'cli-output',
      ],
      ...['cli-mcp', 'cli-review', 'cli-route', 'cli-session'],
      ...['client', 'manifest', 'routes'],
    ],
    packages: ['commander', 'esbuild', 'fs/promises', 'path'],
  },
  'cli-release': {
    files: folder('cli/release'),
    rooms: ['cli', 'manifest', 'openapi', 'routes'],
    packages: ['child_process', 'fs', 'os', 'path'],
  },
};
