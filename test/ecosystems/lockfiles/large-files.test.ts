import { describe, expect, it } from 'vitest';
import { read } from './example.ts';

const count = 20_000;
const numbers = Array.from({ length: count }, (_, at) => at);

/** Each asks for the next, and for the first: one long chain, and many circles. */
const needsOf = (at: number): Record<string, string> => ({
  [`p${(at + 1) % count}`]: '1.0.0',
  p0: '1.0.0',
});

const large: readonly [path: string, text: string][] = [
  [
    'package-lock.json',
    JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { p0: '1.0.0' } },
        ...Object.fromEntries(
          numbers.map((at) => [
            `node_modules/p${at}`,
            { version: '1.0.0', dependencies: needsOf(at) },
          ]),
        ),
      },
    }),
  ],
  [
    'package-lock.json',
    JSON.stringify({
      lockfileVersion: 1,
      dependencies: Object.fromEntries(
        numbers.map((at) => [`p${at}`, { version: '1.0.0', requires: needsOf(at) }]),
      ),
    }),
  ],
  [
    'pnpm-lock.yaml',
    [
      "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      p0: { specifier: 1.0.0, version: 1.0.0 }\npackages:",
      ...numbers.map((at) => `  p${at}@1.0.0:\n    resolution: {integrity: sha512-a}`),
      'snapshots:',
      ...numbers.map(
        (at) => `  p${at}@1.0.0:\n    dependencies: { p${(at + 1) % count}: 1.0.0, p0: 1.0.0 }`,
      ),
    ].join('\n'),
  ],
  [
    'yarn.lock',
    numbers
      .map(
        (at) =>
          `p${at}@1:\n  version "1.0.0"\n  dependencies:\n    p${(at + 1) % count} "1"\n    p0 "1"\n`,
      )
      .join('\n'),
  ],
  [
    'yarn.lock',
    [
      '__metadata:\n  version: 8\n',
      ...numbers.map(
        (at) =>
          `"p${at}@npm:1":\n  version: 1.0.0\n  resolution: "p${at}@npm:1.0.0"\n  dependencies: { p${(at + 1) % count}: "npm:1", p0: "npm:1" }\n`,
      ),
    ].join('\n'),
  ],
  [
    'bun.lock',
    JSON.stringify({
      lockfileVersion: 1,
      workspaces: { '': { dependencies: { p0: '1' } } },
      packages: Object.fromEntries(
        numbers.map((at) => [
          `p${at}`,
          [`p${at}@1.0.0`, '', { dependencies: needsOf(at) }, 'sha512-a'],
        ]),
      ),
    }),
  ],
  [
    'poetry.lock',
    numbers
      .map(
        (at) =>
          `[[package]]\nname = "p${at}"\nversion = "1.0.0"\n[package.dependencies]\np${(at + 1) % count} = "1"\n`,
      )
      .join('\n'),
  ],
  [
    'requirements.txt',
    numbers.map((at) => `p${at}==1.0.0\n    # via p${(at + 1) % count}`).join('\n'),
  ],
  [
    'pyproject.toml',
    `[build-system]\nrequires = [\n${numbers.map((at) => `  "p${at}==1.0.0",`).join('\n')}\n]\n`,
  ],
  // Texts with escapes are nowhere in the file as they are read.
  [
    'pyproject.toml',
    `[build-system]\nrequires = [\n${numbers.map((at) => `  "p${at}\\u003d=1.0.0",`).join('\n')}\n]\n`,
  ],
  ['gradle.lockfile', numbers.map((at) => `g:p${at}:1.0.0=a`).join('\n')],
  [
    'bom.json',
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { name: 'shop', 'bom-ref': 'shop' } },
      components: numbers.map((at) => ({
        type: 'library',
        name: `p${at}`,
        'bom-ref': `${at}`,
        purl: `pkg:npm/p${at}@1.0.0`,
      })),
      dependencies: [
        { ref: 'shop', dependsOn: ['0'] },
        ...numbers.map((at) => ({ ref: `${at}`, dependsOn: [`${(at + 1) % count}`, '0'] })),
      ],
    }),
  ],
];

describe(`a file of ${count} packages in one chain full of circles`, () => {
  it.each(large)('is read to its end: %s', (path, text) => {
    const { dependencies, unpinned } = read(path, text);

    expect(dependencies).toHaveLength(count);
    expect(unpinned).toEqual([]);
    // Chains that long nobody reads, and all of them together would be as long as the square of the file.
    const steps = dependencies.reduce((sum, { through = [] }) => sum + through.length, 0);
    expect(steps).toBeLessThan(100 * count);
  });
});
