/** Bundles the command line and the client, each into one file. Runs when dependencies are installed. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { buildModules } from '../infra/constructs/build-modules.ts';
import packageJson from '../package.json' with { type: 'json' };
import { oldestNode } from './oldest-node.ts';

const project = join(import.meta.dirname, '..');

/** CommonJS packages in the bundle load modules of Node.js by require. */
const requireForBundle =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Reduces package.json in a bundle to the version. */
const versionAlone: Plugin = {
  name: 'version-alone',
  setup: ({ onLoad }) =>
    onLoad({ filter: /package\.json$/ }, ({ path }) => {
      if (path !== join(project, 'package.json')) return undefined;
      const { version } = packageJson;
      return { contents: JSON.stringify({ version }), loader: 'json' };
    }),
};

/**
 * Reduces the library of CycloneDX to its JSON: the list of SPDX identifiers without their titles, and nothing of XML, whose
 * writer is an optional package.
 */
const cycloneDxJson: Plugin = {
  name: 'cyclonedx-json',
  setup: ({ onLoad }) => {
    onLoad(
      { filter: /cyclonedx-library[/\\]res[/\\]schema[/\\]spdx\.[^/\\]*\.json$/ },
      async (args) => {
        const { enum: identifiers } = JSON.parse(await readFile(args.path, 'utf8'));
        return { contents: JSON.stringify({ enum: identifiers }), loader: 'json' };
      },
    );
    onLoad(
      { filter: /dist\.node[/\\]serialize[/\\]xml(?:Serializer\.node|[/\\]index)\.js$/ },
      () => ({
        contents: 'module.exports = {};',
      }),
    );
  },
};

/** Reduces undici to its fetch and the agent of proxies, which the client imports. The rest is WebSockets, caches and mocks. */
const undiciFetch: Plugin = {
  name: 'undici-fetch',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules[/\\]undici[/\\]index\.js$/ }, () => ({
      contents: `Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));
      module.exports = {
        EnvHttpProxyAgent: require('./lib/dispatcher/env-http-proxy-agent'),
        fetch: require('./lib/web/fetch').fetch,
      };`,
    })),
};

const [oldestMajor, oldestMinor] = oldestNode;

/** Ends the program on an older Node.js with one line. It runs before the rest of the file is evaluated. */
const refuseOldNode = `{
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < ${oldestMajor} || (major === ${oldestMajor} && minor < ${oldestMinor})) {
    console.error('error: Node.js ' + process.version + ' is too old: install ${oldestNode.join('.')} or newer');
    process.exit(2);
  }
}`;

/**
 * Loads the modules of Node.js by require. An older Node.js would refuse the whole file for one import that it does not
 * have, before any line of it runs.
 */
const builtInModules: Plugin = {
  name: 'built-in-modules',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/, namespace: 'file' }, ({ path, kind }) =>
      kind === 'require-call' ? undefined : { path, namespace: 'built-in' },
    );
    onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

interface Bundle {
  readonly text: string;
  /** The source files in the bundle, relative to the project. */
  readonly sources: readonly string[];
}

const listSources = ({ outputs }: Metafile): string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  );

/** Lists the sources of modules that run while bundling. */
const listBuildSources = async (sources: readonly string[]): Promise<string[]> => {
  const entryPoints = sources.filter((file) => file.endsWith('.build.ts'));
  const { metafile } = await build({
    ...{ absWorkingDir: project, entryPoints, outdir: project, write: false },
    ...{ bundle: true, platform: 'node', format: 'esm', metafile: true },
  });
  return listSources(metafile);
};

const bundle = async (
  entry: string,
  banner: string,
  plugins: readonly Plugin[] = [],
  { lineLimit = 0 }: { readonly lineLimit?: number } = {},
): Promise<Bundle> => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: [entry],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: `node${oldestNode.join('.')}`,
    mainFields: ['module', 'main'],
    alias: { '@modelcontextprotocol/server/_shims': './cli/commands/mcp/sdk-shims.ts' },
    minify: true,
    // Node.js prints the line of an uncaught error.
    lineLimit,
    legalComments: 'eof',
    banner: { js: banner },
    plugins: [versionAlone, cycloneDxJson, undiciFetch, buildModules, ...plugins],
    metafile: true,
    logLevel: 'warning',
  });
  const sources = listSources(metafile);
  return {
    text: outputFiles.map(({ text }) => text).join(''),
    sources: [...sources, ...(await listBuildSources(sources))],
  };
};

/** Bundles the commands without the entry point, for tests that run many in one process. */
export const bundleRun = (): Promise<Bundle> => bundle('cli/run.ts', requireForBundle);

/** Bundles the command line. */
export const bundleProgram = (): Promise<Bundle> =>
  bundle('cli/main.ts', `#!/usr/bin/env node\n${requireForBundle}\n${refuseOldNode}`, [
    builtInModules,
  ]);

/** Writes `registry.mjs` and `client.mjs` into a folder. Resolves to their source files, relative to the project. */
export const buildInto = async (folder: string): Promise<string[]> => {
  const [program, client] = await Promise.all([
    bundleProgram(),
    bundle('shared/api/client/client.ts', requireForBundle, [], { lineLimit: 200 }),
  ]);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'registry.mjs'), program.text, { mode: 0o755 });
  await writeFile(join(folder, 'client.mjs'), client.text);
  return [...new Set([...program.sources, ...client.sources])];
};

if (import.meta.main) await buildInto(join(project, 'dist'));
