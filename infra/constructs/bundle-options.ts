import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { buildModules } from './build-modules.ts';
import { leaveOut } from './leave-out.ts';
import { requireHttp } from './require-http.ts';

/** The project's folder. */
export const root = join(import.meta.dirname, '../..');

/** Defines `require`, which ESM lacks and CommonJS packages inside a bundle call. */
const requireBanner =
  "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);";

/**
 * The esbuild options for functions: minified ESM with the AWS SDK inside. A bundled SDK is the tested one, and starts
 * faster than the copy in the Lambda runtime.
 */
export const bundleOptions = {
  absWorkingDir: root,
  entryNames: '[name]/index',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'shared/api/settings/lambda-credentials.ts'),
    '@aws-sdk/endpoint-cache': join(root, 'shared/api/settings/no-endpoint-cache.ts'),
  },
  banner: { js: requireBanner },
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [buildModules, leaveOut, requireHttp],
} as const satisfies BuildOptions;
