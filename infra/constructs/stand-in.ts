import type { PluginBuild } from 'esbuild';

/** Returns the names that a module exports. */
export const listExports = async ({ esbuild }: PluginBuild, path: string): Promise<string[]> => {
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
export const writeStandIn = (path: string, names: readonly string[]): string => `
  const leftOut = () => { throw new Error(${JSON.stringify(`${path.replace(/.*node_modules\//, '')} is left out of the functions' bundles`)}); };
  export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };
`;
