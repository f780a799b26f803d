/** Bundles the registry's handlers and those of its peers, all with the options of the stack. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { bundleOptions, root } from '../../../infra/constructs/bundle-options.ts';
import type { Kind } from './requests.ts';

const peers = join(root, 'test/bench/peers');

/** What a peer's handler of each kind does: read a package, or answer what it has. */
const operations: Readonly<
  Record<Kind | 'whole', { readonly maker: string; readonly run: string }>
> = {
  whole: { maker: 'reading', run: 'findPackage' },
  read: { maker: 'reading', run: 'async () => storedPackage' },
  list: { maker: 'listing', run: 'async () => storedPage' },
  write: { maker: 'writing', run: 'async () => storedPackage' },
};

export type Part = keyof typeof operations;
export const parts = Object.keys(operations) as Part[];

/** The modules that name a peer and a part of it: `peer:hono/read`. */
const peerEntries: Plugin = {
  name: 'peer-entries',
  setup: (build) => {
    build.onResolve({ filter: /^peer:/ }, ({ path }) => ({ path, namespace: 'peer' }));
    build.onLoad({ filter: /^/, namespace: 'peer' }, ({ path }) => {
      const [, peer, part] = /^peer:(.+)\/(.+)$/.exec(path) ?? [];
      const { maker, run } = operations[part as Part];
      return {
        resolveDir: peers,
        contents: `
          import { ${maker} } from './${peer}.mjs';
          ${part === 'whole' ? "import { findPackage } from './operations.mjs';" : ''}
          import { storedPackage, storedPage } from '../functions/stored.ts';
          export const handler = ${maker}(${run});`,
      };
    });
  },
};

const ownEntries: Readonly<Record<Part, string>> = {
  whole: join(root, 'functions/show-package.ts'),
  read: join(root, 'test/bench/functions/own/read.ts'),
  list: join(root, 'test/bench/functions/own/list.ts'),
  write: join(root, 'test/bench/functions/own/write.ts'),
};

const findEntry = (candidate: string, part: Part): string =>
  candidate === 'registry' ? ownEntries[part] : `peer:${candidate}/${part}`;

const bundle = (names: readonly string[], wanted: readonly Part[], outdir: string, alias: object) =>
  build({
    ...bundleOptions,
    alias: { ...alias },
    plugins: [...bundleOptions.plugins, peerEntries],
    entryPoints: names.flatMap((name) =>
      wanted.map((part) => ({ in: findEntry(name, part), out: `${name}-${part}` })),
    ),
    outdir,
  });

/** Where the bundle of a candidate's part is. */
export type FindBundle = (candidate: string, part: Part) => string;

/** The one candidate with the SDK's own search for credentials, as it comes without an alias. */
export const honoDefault = 'hono, default credentials';
export const candidates = ['registry', 'bare', 'hono', 'express', 'fastify'] as const;

export const buildCandidates = async (folder: string): Promise<FindBundle> => {
  await bundle(candidates, parts, folder, bundleOptions.alias);
  await bundle(['hono'], ['whole'], join(folder, 'default'), {});
  return (candidate, part) =>
    candidate === honoDefault
      ? join(folder, `default/hono-${part}/index.mjs`)
      : join(folder, `${candidate.replace(/ .*/, '')}-${part}/index.mjs`);
};

/** Bytes of a bundle as it is, and as it is deployed. */
export const weigh = (path: string): { readonly bytes: number; readonly zipped: number } => {
  const code = readFileSync(path);
  return { bytes: code.length, zipped: gzipSync(code).length };
};
