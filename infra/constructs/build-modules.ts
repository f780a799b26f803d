import { pathToFileURL } from 'node:url';
import type { OnLoadArgs, OnLoadResult, Plugin } from 'esbuild';

const evaluateModule = async ({ path }: OnLoadArgs): Promise<OnLoadResult> => {
  const { default: value } = (await import(pathToFileURL(path).href)) as { default?: unknown };
  if (value === undefined) return { errors: [{ text: `${path} has no default export to bundle` }] };
  return { contents: JSON.stringify(value), loader: 'json' };
};

/**
 * Runs the modules named `*.build.ts` while bundling and puts their default export into the bundle as JSON, so that the
 * data packages from which they work it out stay behind. Everywhere else such a module is a module like any other.
 */
export const buildModules: Plugin = {
  name: 'build-modules',
  setup: (build) => build.onLoad({ filter: /\.build\.ts$/ }, evaluateModule),
};
