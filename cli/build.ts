/** Bundles the command line and the client, each into one file. Runs when dependencies are installed. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '..');

/** CommonJS packages in the bundle still ask for Node's own modules by require. */
const requireForBundle =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

const bundle = (entry: string, outfile: string, banner: string): Promise<unknown> =>
  build({
    entryPoints: [join(project, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'eof',
    banner: { js: banner },
    logLevel: 'warning',
  });

/** Writes `registry.mjs` and `client.mjs` into the folder. */
export const buildInto = async (folder: string): Promise<void> => {
  const program = join(folder, 'registry.mjs');
  await Promise.all([
    bundle('cli/main.ts', program, `#!/usr/bin/env node\n${requireForBundle}`),
    bundle('shared/client/client.ts', join(folder, 'client.mjs'), requireForBundle),
  ]);
  await chmod(program, 0o755);
};

if (import.meta.main) await buildInto(join(project, 'dist'));
