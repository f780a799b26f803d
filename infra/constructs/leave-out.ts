import { readFileSync } from 'node:fs';
import type { Plugin, PluginBuild } from 'esbuild';

/** What packages bring along that no function ever calls, by the end of its path. Each function would load it as it starts. */
const unreachable = [
  // No operation of DynamoDB, Secrets Manager or SQS sends or receives a stream of events.
  '@smithy/core/dist-es/submodules/event-streams/index.js',
  // Node has its own.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js',
  // Lambda tells every function its region.
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js',
  // Every client is told to retry in the standard way.
  '@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js',
  // Schemas are described as JSON Schema while the document of the API is built, never where requests are checked.
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

/** Whoever comes to need a part that was left out is told so. */
const writeStandIn = (path: string, names: readonly string[]): string => `
  const leftOut = () => { throw new Error(${JSON.stringify(`${path.replace(/.*node_modules\//, '')} is left out of the functions' bundles`)}); };
  export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };
`;

/**
 * Leaves out of the bundles what no function reaches, where esbuild cannot tell by itself: because it hangs on an object
 * that is used, or because somebody might import it later.
 */
export const leaveOut: Plugin = {
  name: 'leave-out',
  setup: (build) => {
    build.onLoad({ filter: endsWith(unreachable) }, async ({ path }) => ({
      contents: writeStandIn(path, await listExports(build, path)),
    }));
    // Of a client's manifest, its own version alone is read.
    build.onLoad({ filter: /\/@aws-sdk\/client-[^/]+\/package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    // To esbuild, JSON that is imported and JSON that is required are two modules.
    build.onLoad({ filter: /\.json$/ }, ({ path, with: { type } }) =>
      type === 'json'
        ? { contents: `export { default } from ${JSON.stringify(path)};`, loader: 'js' }
        : undefined,
    );
  },
};
