import type { Plugin } from 'esbuild';

/**
 * Replaces imports of Node's `http` by `require`. An import reads each export, and `WebSocket` among them makes Node load
 * its implementation of fetch. That takes a quarter of a cold start.
 */
export const requireHttp: Plugin = {
  name: 'require-http',
  setup: (build) => {
    build.onResolve({ filter: /^(?:node:)?http$/ }, ({ kind, path }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' },
    );
    build.onLoad({ filter: /^/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};
