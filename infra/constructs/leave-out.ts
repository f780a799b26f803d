import { readFileSync } from 'node:fs';
import type { Plugin, PluginBuild } from 'esbuild';

/** Modules of packages that no function calls, by the end of their paths. Loading them would slow every cold start. */
const unreachable = [
  // No operation of DynamoDB, Secrets Manager or SQS sends or receives a stream of events.
  '@smithy/core/dist-es/submodules/event-streams/index.js',
  // Node has its own.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js',
  // Lambda sets the region in the environment.
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js',
  // Every client uses the standard retry mode.
  '@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js',
  // JSON Schemas are only made for the OpenAPI document, never by functions.
  'zod/v4/core/json-schema-processors.js',
  'zod/v4/core/to-json-schema.js',
];

const endsWith = (paths: readonly string[]): RegExp =>
  new RegExp(`(?:^|/)(?:${paths.map((path) => path.replaceAll('.', '\\.')).join('|')})$`);

const listExports = async ({ esbuild }: PluginBuild, path: string): Promise<string[]> => {
  const { metafile } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
};

/** Returns a module with the same exports, each of which throws an error that names the module. */
const writeStandIn = (path: string, names: readonly string[]): string => `
  const leftOut = () => { throw new Error(${JSON.stringify(`${path.replace(/.*node_modules\//, '')} is left out of the functions' bundles`)}); };
  export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };
`;

/**
 * Replaces modules that no function calls by stand-ins that throw. Tree shaking keeps them, because a used object refers to
 * them or because they are imported dynamically.
 */
export const leaveOut: Plugin = {
  name: 'leave-out',
  setup: (build) => {
    build.onLoad({ filter: endsWith(unreachable) }, async ({ path }) => ({
      contents: writeStandIn(path, await listExports(build, path)),
    }));
    // Clients read only the version of their manifest.
    build.onLoad({ filter: /\/@aws-sdk\/client-[^/]+\/package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    // esbuild would bundle a JSON file twice that is both imported and required.
    build.onLoad({ filter: /\.json$/ }, ({ path, with: { type } }) =>
      type === 'json'
        ? { contents: `export { default } from ${JSON.stringify(path)};`, loader: 'js' }
        : undefined,
    );
  },
};
