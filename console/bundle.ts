import { basename } from 'node:path';
import { build, type Metafile, type OutputFile } from 'esbuild';
import { buildModules } from '../infra/constructs/build-modules.ts';

/** A file of the console, with its name below the URL of the page. */
export interface ConsoleFile {
  readonly name: string;
  readonly contentType: string;
  readonly text: string;
}

const project = `${import.meta.dirname}/..`;

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const toFile = ({ path, text }: OutputFile): ConsoleFile => {
  const name = basename(path);
  const contentType = contentTypes[name.split('.').at(-1) ?? ''];
  if (contentType === undefined)
    throw new Error(`${name} is not a text file that the page can load`);
  return { name, contentType, text };
};

type Output = Metafile['outputs'][string];

/** Returns the file names of an entry point and of its static imports. */
const listLoadedWith = (entry: string, { outputs }: Metafile): string[] => {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (!found) throw new Error(`${entry} is not an entry point of the bundle`);
  const listFrom = (path: string, { imports }: Output): string[] => [
    path,
    ...imports
      .filter(({ kind }) => kind === 'import-statement')
      .flatMap(({ path: next }) => {
        const output = outputs[next];
        return output ? listFrom(next, output) : [];
      }),
  ];
  return [...new Set(listFrom(...found).map((path) => basename(path)))];
};

/** Bundles the script and the styles of the console. Each view has its own file, which the browser loads on demand. */
const bundleConsole = async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: project,
    entryPoints: ['console/main.tsx', 'console/style/console.css'],
    outdir: 'console',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: ['es2023', 'chrome123', 'firefox128', 'safari17.5'],
    alias: { 'node:timers/promises': `${import.meta.dirname}/api/browser-timers.ts` },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    plugins: [buildModules],
    metafile: true,
    logLevel: 'warning',
  });
  return {
    files: outputFiles.map(toFile),
    /** The scripts of the first view, the main script first. */
    scripts: [
      ...new Set([
        ...listLoadedWith('console/main.tsx', metafile),
        ...listLoadedWith('console/views/packages/packages.tsx', metafile),
      ]),
    ],
    styles: listLoadedWith('console/style/console.css', metafile),
  };
};

export const bundle = await bundleConsole();
