import { basename } from 'node:path';
import { build, type Metafile, type OutputFile } from 'esbuild';
import { buildModules } from '../infra/constructs/build-modules.ts';

/** What the page loads, by the name that it has below the page. */
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
  if (contentType === undefined) throw new Error(`${name} is no text that a page can load`);
  return { name, contentType, text };
};

type Output = Metafile['outputs'][string];

/** The output of an entry, and everything that it imports at once, by their names. */
const listLoadedWith = (entry: string, { outputs }: Metafile): string[] => {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (!found) throw new Error(`${entry} is no entry of the bundle`);
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

/** The program and the style of the console. A view that is loaded when it is opened has a file of its own. */
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
    /** What the first view needs, the program first. */
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
