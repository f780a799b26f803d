import { posix } from 'node:path';
import { isObject, parseJson } from '../../../../shared/util/json.ts';
import type { ArchivedFile } from '../archives/archive.ts';

/** Files that package managers run or obey when they install a package, or that Python runs at each start. */
const installNames =
  /^(?:package\.json|npm-shrinkwrap\.json|binding\.gyp|setup\.(?:py|cfg)|pyproject\.toml|entry_points\.txt|(?:site|user)customize\.py)$|\.pth$/;

/** Scripts of a wheel, which are installed as commands. */
const wheelScripts = /^[^/]+\.data\/scripts\//;

const installScripts = ['preinstall', 'install', 'postinstall'] as const;

/** Returns whether an entry of a package's root runs at installation, or decides on what does. */
const isInstallName = (path: string): boolean => {
  const name = posix.basename(path);
  const isTop = path === name || /^[^/]+\.(?:dist-info|egg-info)\/[^/]+$/.test(path);
  return (isTop && installNames.test(name)) || wheelScripts.test(path);
};

/** Returns the paths that a script may mean by a word: Node.js adds an ending. */
const listMeant = (word: string): string[] => {
  const path = posix.normalize(word).replace(/\/$/, '');
  return [path, `${path}.js`, `${path}.cjs`, `${path}.mjs`, `${path}/index.js`];
};

/** Returns the files that the install scripts of an npm package name. */
const listScriptFiles = (files: ReadonlyMap<string, ArchivedFile>): string[] => {
  const manifest = parseJson(files.get('package.json')?.content.toString('utf8') ?? '');
  const scripts = isObject(manifest) && isObject(manifest['scripts']) ? manifest['scripts'] : {};
  const words = installScripts.flatMap((name) => {
    const script = scripts[name];
    return typeof script === 'string' ? script.split(/[^\w@./~+-]+/) : [];
  });
  return words.flatMap(listMeant).filter((path) => files.has(path));
};

/** Returns a test for the files of a package that run at installation, or decide on what does. */
export const findInstallFiles = (
  files: ReadonlyMap<string, ArchivedFile>,
): ((path: string) => boolean) => {
  const named = new Set(listScriptFiles(files));
  return (path) => named.has(path) || isInstallName(path);
};
