import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCycle, readImports } from './fixture/imports.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The name of a package, of what is imported from it. */
const readPackageName = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const listPackages = (pattern: string): string[] => {
  const specifiers = [...readImports(folder, pattern).values()].flat();
  const bare = specifiers.filter((one) => !isBuiltin(one) && !one.endsWith('.ts'));
  return [...new Set(bare.map(readPackageName))].sort();
};

/** Packages of types alone are imported by the name of what they describe. */
const types = ['aws-lambda'];

describe('this folder', () => {
  it('imports no file from outside', () => {
    const outside = [...readImports(folder, '**/*.ts')].flatMap(([file, imports]) =>
      imports.filter((path) => path.startsWith('..')).map((path) => `${file}: ${path}`),
    );

    expect(outside).toEqual([]);
  });

  it('imports just the packages that it declares', () => {
    const declared = Object.keys(manifest.dependencies).sort();

    expect(listPackages('{index.ts,src/**/*.ts}')).toEqual([...declared, ...types].sort());
  });

  it('imports just the packages that it declares in tests, too', () => {
    const declared = { ...manifest.dependencies, ...manifest.devDependencies };
    const used = listPackages('{test/**/*.ts,vitest.config.ts}');

    const known = [manifest.name, ...types, ...Object.keys(declared)];
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('has no circle of imports', () => {
    expect(findCycle(readImports(folder, '**/*.ts'))).toBeUndefined();
  });
});

describe('a circle of imports', () => {
  it('is found wherever it begins', () => {
    const imports = new Map([
      ['a', ['b', 'zod']],
      ['b', ['c']],
      ['c', ['d', 'b']],
    ]);

    expect(findCycle(imports)).toEqual(['b', 'c', 'b']);
  });
});
