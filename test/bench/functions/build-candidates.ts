/** Bundles the registry's functions and those of its peers, all with the options of the stack. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleOptions, root } from '../../../infra/constructs/bundle-options.ts';
import { type Kind, kinds } from './requests.ts';

export const candidates = ['registry', 'bare', 'hono', 'express', 'fastify'] as const;

/** For each kind of request: the registry's function, and the factory and operation of a peer's handler. */
const handlers: Readonly<Record<Kind, readonly [id: string, maker: string, operation: string]>> = {
  read: ['show-package', 'reading', 'findPackage'],
  list: ['list-versions', 'listing', 'listVersions'],
  write: ['submit-package', 'writing', 'keepPackage'],
};

/** The handler of a peer: `peer:hono/read`. */
const peerHandlers: Plugin = {
  name: 'peer-handlers',
  setup: (build) => {
    build.onResolve({ filter: /^peer:/ }, ({ path }) => ({ path, namespace: 'peer' }));
    build.onLoad({ filter: /^/, namespace: 'peer' }, ({ path }) => {
      const [, peer, kind] = /^peer:(.+)\/(.+)$/.exec(path) ?? [];
      const [, maker, operation] = handlers[kind as Kind];
      return {
        resolveDir: join(root, 'test/bench/peers'),
        contents: `
          import { ${operation} } from './operations.mjs';
          import { ${maker} } from './${peer}.mjs';
          export const handler = ${maker}(${operation});`,
      };
    });
  },
};

/** Replaces DynamoDB's client with stored data. */
const replay: Plugin = {
  name: 'replay',
  setup: (build) => {
    build.onLoad({ filter: /shared\/storage\/dynamodb\/dynamodb\.ts$/ }, () => ({
      resolveDir: root,
      contents: "export { dynamodb } from './test/bench/functions/replayed.ts';",
    }));
  },
};

const findEntry = (candidate: string, kind: Kind): string =>
  candidate === 'registry' ? `functions/${handlers[kind][0]}.ts` : `peer:${candidate}/${kind}`;

interface Wanted {
  readonly names: readonly string[];
  readonly wanted: readonly Kind[];
  readonly outdir: string;
}

const bundle = ({ names, wanted, outdir }: Wanted, options: BuildOptions = {}) =>
  build({
    ...bundleOptions,
    ...options,
    plugins: [...bundleOptions.plugins, peerHandlers, ...(options.plugins ?? [])],
    entryPoints: names.flatMap((name) =>
      wanted.map((kind) => ({ in: findEntry(name, kind), out: `${name}-${kind}` })),
    ),
    outdir,
  });

/** The only candidate with the SDK's default credential providers, without an alias. */
export const honoDefault = 'hono, default credentials';

const { '@aws-sdk/credential-provider-node': _, ...withDefaultCredentials } = bundleOptions.alias;

/** The data source of a candidate: DynamoDB's client, or stored data. */
export type With = 'client' | 'replay';

/** Returns the path of a bundle. */
export type FindBundle = (candidate: string, kind: Kind, how: With) => string;

/** Bundles candidates without DynamoDB's client: `read`, `list` and `write` of each. */
export const buildReplayed = (names: readonly string[], outdir: string) =>
  bundle({ names, wanted: kinds, outdir }, { plugins: [replay] });

export const buildCandidates = async (folder: string): Promise<FindBundle> => {
  const folders = { client: 'client', replay: 'replay', default: 'default' } as const;
  await Promise.all([
    bundle({ names: candidates, wanted: ['read'], outdir: join(folder, folders.client) }),
    buildReplayed(candidates, join(folder, folders.replay)),
    bundle(
      { names: ['hono'], wanted: ['read'], outdir: join(folder, folders.default) },
      { alias: withDefaultCredentials },
    ),
  ]);
  return (candidate, kind, how) =>
    candidate === honoDefault
      ? join(folder, folders.default, `hono-${kind}/index.mjs`)
      : join(folder, folders[how], `${candidate.replace(/ .*/, '')}-${kind}/index.mjs`);
};

/** The bytes of a bundle, uncompressed and deployed. */
export const weigh = (path: string): { readonly bytes: number; readonly zipped: number } => {
  const code = readFileSync(path);
  return { bytes: code.length, zipped: gzipSync(code).length };
};
