import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { buildModules } from './build-modules.ts';
import { leaveOut } from './leave-out.ts';
import { ownRoutes } from './own-routes.ts';
import { requireHttp } from './require-http.ts';

/** The project's folder. */
export const root = join(import.meta.dirname, '../..');

/** ESM has no `require`, which CommonJS packages inside a bundle still call. */
const requireBanner =
  "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);";

/**
 * How functions are bundled: ESM, minified, with the AWS SDK inside, so that what was tested is what runs, and so that it
 * starts faster than with the runtime's own copy.
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
  plugins: [buildModules, leaveOut, ownRoutes, requireHttp],
} as const satisfies BuildOptions;
