import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { listExports, writeStandIn } from './stand-in.ts';
import { trimmed, whole } from './trimmed-modules.ts';

/** Modules of packages that no function calls, by the end of their paths. Loading them would slow every cold start. */
const unreachable = [
  // No operation of DynamoDB, Secrets Manager or SQS sends or receives a stream of events.
  '@smithy/core/dist-es/submodules/event-streams/index.js',
  // Node has its own.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js',
  // Lambda sets the region in the environment.
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js',
  // Addresses of S3 depend on the bucket.
  '@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/service-customizations/s3.js',
  // Every client uses the standard retry mode.
  '@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js',
  // JSON Schemas are only made for the OpenAPI document, never by functions.
  'zod/v4/core/json-schema-processors.js',
  'zod/v4/core/to-json-schema.js',
];

const endsWith = (paths: readonly string[]): RegExp =>
  new RegExp(`(?:^|/)(?:${paths.map((path) => path.replaceAll('.', '\\.')).join('|')})$`);

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
    for (const [end, trim] of Object.entries(trimmed)) {
      build.onLoad({ filter: endsWith([end]) }, async ({ path, suffix }) =>
        suffix === whole ? undefined : { contents: await trim(path, build) },
      );
    }
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
