import { ecosystems } from './shared/ecosystems/ecosystem.ts';

/**
 * Which module may import what. `npm run lint` checks it, types included: https://github.com/sverweij/dependency-cruiser
 *
 * Imports go down this list only: functions, use-cases, ecosystems and platform, storage, scanners, api, domain, util.
 */

/** Packages by name, and modules of Node.js with their `node:` prefix. */
const npm = (...names) => `node_modules/(@types/)?(${names.join('|')})/`;
const core = (...names) => `^(node:)?(${names.join('|')})$`;

const aws = npm('@aws-sdk/[^/]+', '@smithy/core');
const crypto = core('crypto');
const manifest = '^package\\.json$';

/** What browsers load, too: it needs neither Node.js nor a server. */
const lockfileReaders =
  '^shared/ecosystems/([a-z]+/(lockfiles|manifest)|lockfiles|manifest|sbom)/|^shared/ecosystems/parse-dependency-file\\.ts$';

/** The folder of one ecosystem. */
const ecosystemFolder = `^shared/ecosystems/(${ecosystems.join('|')})/`;

/** The rules of one ecosystem for names, versions and file names. */
const ownRules = `${ecosystemFolder}[a-z0-9-]+\\.ts$`;

/** Client of the registries of images. */
const imageClient =
  '^shared/ecosystems/(docker/origin/(image-address|image-source|registry-access)|origin/origin-http)\\.ts$';

/** The list of ecosystems, and the rules of all of them. */
const unitedRules = '^shared/ecosystems/(ecosystem|rules|purl-rule|text-rule)\\.ts$';

/** Parts of the console. Each one imports only itself and those before it. */
const consoleParts = [
  'address',
  'state',
  'api',
  'parts',
  'session',
  'decisions',
  'evidence',
  'views',
  'frame',
];

/** Packages of types alone have no file that their name leads to. */
const typesAlone = '^(aws-lambda|sarif)$';

/** A module, its files, and all that it may import besides itself. */
const modules = {
  util: [
    '^shared/util/',
    core(
      'crypto',
      'dns',
      'http',
      'https',
      'net',
      'stream',
      'stream/web',
      'timers/promises',
      'zlib',
    ),
  ],
  domain: [
    '^shared/domain/',
    '^shared/util/',
    unitedRules,
    npm(
      '@blueoak/list',
      '@sigstore/core',
      'cvss4',
      'fastest-levenshtein',
      'packageurl-js',
      'spdx-[^/]+',
    ),
    crypto,
  ],
  api: [
    '^shared/api/',
    '^shared/(domain|util)/',
    unitedRules,
    manifest,
    npm('zod', 'undici', 'oauth4webapi', '@aws-sdk/credential-provider-env'),
    core('fs'),
  ],
  scanners: [
    '^shared/scanners/',
    '^shared/(domain|util)/',
    unitedRules,
    '^shared/api/schemas/',
    npm('zod'),
  ],
  storage: [
    '^shared/storage/',
    '^shared/(domain|util)/',
    unitedRules,
    '^shared/api/(schemas|settings)/',
    '^shared/api/(resources|data-format|http-answer)\\.ts$',
    aws,
    core('async_hooks', 'crypto', 'timers/promises', 'util', 'zlib'),
  ],
  ecosystems: [
    '^shared/ecosystems/',
    '^shared/(domain|storage|util)/',
    '^shared/api/schemas/',
    manifest,
    npm(
      '@sigstore/[^/]+',
      'fast-xml-parser',
      'hosted-git-info',
      'htmlparser2',
      'js-yaml',
      'jsonc-parser',
      'semver',
      'smol-toml',
    ),
    core('crypto', 'fs/promises', 'os', 'path'),
  ],
  platform: [
    '^shared/platform/',
    '^shared/(api|domain|storage|util)/',
    unitedRules,
    npm('@aws-sdk/client-(cloudformation|kms|secrets-manager|sqs)', '@middy/[^/]+', 'jose', 'zod'),
    core('crypto', 'timers/promises', 'zlib'),
    typesAlone,
  ],
  'use-cases': [
    '^shared/use-cases/',
    '^shared/(api|domain|ecosystems|platform|scanners|storage|util)/',
  ],
  functions: [
    '^functions/',
    '^shared/',
    '^web/',
    '^(console|cli)/[a-z]+(\\.build)?\\.ts$',
    manifest,
    npm('zod'),
  ],
  web: ['^web/', npm('swagger-ui-dist'), core('crypto', 'fs', 'module', 'path')],
};

const only = ([name, [files, ...allowed]]) => ({
  name: `${name} may not import this`,
  severity: 'error',
  from: { path: files },
  to: { pathNot: [files, ...allowed] },
});

const refuse = (name, from, to, comment) => ({
  name,
  ...(comment && { comment }),
  severity: 'error',
  from,
  to,
});

export default {
  forbidden: [
    refuse('no circle', {}, { circular: true }),
    refuse('no import that leads nowhere', {}, { couldNotResolve: true, pathNot: typesAlone }),
    refuse(
      'every file of shared/ belongs to a module',
      { path: '^shared/', pathNot: Object.values(modules).map(([files]) => files) },
      {},
      'Add the module to the table above, and to the map in docs/code-map.md.',
    ),
    ...Object.entries(modules).map(only),

    // Inside the modules.
    refuse(
      'a part of the domain imports only the parts below it',
      { path: '^shared/domain/(packages|tokens|licenses|facts|recalls|vulnerabilities)/' },
      { path: '^shared/domain/(policy|review)/' },
    ),
    refuse(
      'the domain of packages knows nothing of reviews, licenses and vulnerabilities',
      { path: '^shared/domain/packages/' },
      { path: '^shared/domain/(facts|licenses|policy|recalls|review|tokens|vulnerabilities)/' },
    ),
    refuse(
      'what reads and writes items knows no table',
      { path: '^shared/storage/dynamodb/' },
      { path: '^shared/storage/', pathNot: '^shared/storage/dynamodb/' },
    ),
    refuse(
      'names and versions of an ecosystem are pure',
      { path: [ownRules, unitedRules] },
      { pathNot: ['^shared/util/', ownRules, unitedRules] },
    ),
    refuse(
      'readers of lockfiles and manifests run in browsers, too',
      { path: lockfileReaders },
      {
        path: ['^shared/(api|storage|util/outbound-http)/', '/(origin|gate)/'],
        dependencyTypes: ['local', 'import'],
      },
    ),
    refuse(
      'an ecosystem knows no other one',
      { path: ecosystemFolder },
      {
        path: ecosystemFolder,
        pathNot: '^shared/ecosystems/$1/',
      },
    ),
    refuse(
      'only the gate of an ecosystem uses storage',
      { path: '^shared/ecosystems/', pathNot: '/gate/' },
      { path: '^shared/storage/' },
    ),

    // What runs beside the functions.
    refuse(
      'the console gets what browsers can run',
      { path: '^console/', pathNot: '^console/(bundle|[a-z]+\\.build)\\.ts$' },
      {
        pathNot: [
          '^console/',
          '^shared/(domain|util)/',
          '^shared/api/(client|schemas)/',
          '^shared/api/[a-z-]+\\.ts$',
          '^shared/use-cases/dependency-check/',
          lockfileReaders,
          unitedRules,
          npm('preact'),
        ],
      },
    ),
    ...consoleParts
      .slice(0, -1)
      .map((part, at) =>
        refuse(
          `console/${part} imports only the parts below it`,
          { path: `^console/${part}/` },
          { path: `^console/(${consoleParts.slice(at + 1).join('|')})/` },
        ),
      ),
    refuse(
      'a view of the console knows no other view',
      { path: '^console/views/([a-z-]+)/' },
      { path: '^console/views/[a-z-]+/', pathNot: '^console/views/$1/' },
    ),
    refuse(
      'the command line talks to the API alone',
      { path: '^cli/' },
      {
        path: [
          '^shared/(platform|storage)/',
          '^shared/use-cases/(?!dependency-check/)',
          '^functions/',
          '^infra/(?!constructs/build-modules)',
          '/(gate|origin)/',
        ],
        // `registry scan sbom` reads images.
        pathNot: imageClient,
      },
    ),
    refuse(
      'what commands are built with knows no command',
      { path: '^cli/[a-z]+/', pathNot: '^cli/commands/' },
      { path: '^cli/commands/' },
    ),
    refuse(
      'a command knows no other command, but for those of agents',
      { path: '^cli/commands/([a-z-]+)/', pathNot: '^cli/commands/(approved|mcp|request)/' },
      { path: '^cli/commands/', pathNot: '^cli/commands/$1/' },
    ),
    refuse(
      'the API and what is shared know nothing of what uses them',
      { path: '^(shared|functions)/' },
      { path: ['^infra/', '^local-aws/', '^test/'] },
    ),
    refuse(
      'the stack knows settings and rules, and neither storage nor use cases',
      { path: '^infra/', pathNot: '^infra/local/' },
      { path: ['^shared/(use-cases|storage)/', '^functions/', '^cli/', '^console/'] },
    ),
    refuse(
      'the local AWS is entered by its index, and knows no registry',
      { pathNot: '^local-aws/' },
      { path: '^local-aws/', pathNot: '^local-aws/index\\.ts$' },
    ),
    refuse(
      'the local AWS knows no registry',
      { path: '^local-aws/' },
      { path: '^(shared|functions|infra|cli|console|web)/' },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    exclude: { path: ['(^|/)(dist|cdk\\.out)/', '^local-aws/test/'] },
    doNotFollow: { path: ['node_modules'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};
