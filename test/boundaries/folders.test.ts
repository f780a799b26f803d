import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** Modules whose folders may import each other in one direction only. */
const modules = [
  ...['api', 'domain', 'ecosystems', 'platform', 'scanners', 'storage', 'use-cases'].map(
    (name) => `shared/${name}`,
  ),
  ...['cli', 'console', 'local-aws/src'],
];

/** Returns the folder of a file inside its module; undefined for files of the module itself. */
const toFolder = (file: string, module: string): string | undefined =>
  file.startsWith(`${module}/`)
    ? file.slice(module.length + 1).match(/^[^/]+(?=\/)/)?.[0]
    : undefined;

const listImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']*)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );

/** Returns the imports between folders of a module, as `from > to`. */
const listArrows = (module: string): ReadonlySet<string> =>
  new Set(
    globSync(`${module}/**/*.{ts,tsx}`).flatMap((file) => {
      const from = toFolder(file, module);
      const folders = listImports(file).map((imported) => toFolder(imported, module));
      return folders.flatMap((to) => (from && to && from !== to ? [`${from} > ${to}`] : []));
    }),
  );

it.each(modules)('no two folders of %s import each other', (module) => {
  const arrows = listArrows(module);

  const twoWay = [...arrows].filter((arrow) =>
    arrows.has(arrow.split(' > ').reverse().join(' > ')),
  );

  expect(arrows.size).toBeGreaterThan(0);
  expect(twoWay).toEqual([]);
});
