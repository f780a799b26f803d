/** Bundles the command line and the client, each into one file. Runs when dependencies are installed. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import packageJson from '../package.json' with { type: 'json' };
import { oldestNode } from './oldest-node.ts';

const project = join(import.meta.dirname, '..');

/** CommonJS packages in the bundle still ask for Node's own modules by require. */
const requireForBundle =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Of the project's package.json, a bundle holds the version alone. */
const versionAlone: Plugin = {
  name: 'version-alone',
  setup: ({ onLoad }) =>
    onLoad({ filter: /package\.json$/ }, ({ path }) => {
      if (path !== join(project, 'package.json')) return undefined;
      const { version } = packageJson;
      return { contents: JSON.stringify({ version }), loader: 'json' };
    }),
};

/** Resolves to the source files of which something is in the bundle, relative to the project. */
const bundle = async (entry: string, outfile: string, banner: string): Promise<string[]> => {
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: `node${oldestNode.join('.')}`,
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'eof',
    banner: { js: banner },
    plugins: [versionAlone],
    metafile: true,
    logLevel: 'warning',
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  );
};

/**
 * Writes `registry.mjs` and `client.mjs` into the folder. Resolves to the source files that they are made of, relative
 * to the project.
 */
export const buildInto = async (folder: string): Promise<string[]> => {
  const program = join(folder, 'registry.mjs');
  const sources = await Promise.all([
    bundle('cli/main.ts', program, `#!/usr/bin/env node\n${requireForBundle}`),
    bundle('shared/client/client.ts', join(folder, 'client.mjs'), requireForBundle),
  ]);
  await chmod(program, 0o755);
  return [...new Set(sources.flat())];
};

if (import.meta.main) await buildInto(join(project, 'dist'));
