import { pathToFileURL } from 'node:url';
import type { OnLoadArgs, OnLoadResult, Plugin } from 'esbuild';

const evaluateModule = async ({ path }: OnLoadArgs): Promise<OnLoadResult> => {
  const { default: value } = (await import(pathToFileURL(path).href)) as { default?: unknown };
  if (value === undefined) return { errors: [{ text: `${path} has no default export to bundle` }] };
  return { contents: JSON.stringify(value), loader: 'json' };
};

/**
 * Replaces each module named `*.build.ts` by its default export, as JSON, while esbuild bundles. The data packages that the
 * module imports stay out of the bundle. Outside of bundles such a module is an ordinary one.
 */
export const buildModules: Plugin = {
  name: 'build-modules',
  setup: (build) => build.onLoad({ filter: /\.build\.ts$/ }, evaluateModule),
};
