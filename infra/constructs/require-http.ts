import type { Plugin } from 'esbuild';

/**
 * Has Node's `http` required and not imported: an import reads each of its exports, among them `WebSocket`, for which
 * Node loads its whole fetch. That is a quarter of what a function takes to start.
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
