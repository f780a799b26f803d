import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPackageName } from '../../../shared/domain/packages/package-name.ts';
import { isPackageVersion } from '../../../shared/domain/packages/package-version.ts';
import { UnreadableDependencyFileError } from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import { exampleText, read } from './example.ts';

const pom =
  '<project><modelVersion>4.0.0</modelVersion><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>';
const dockerfile =
  '# syntax=docker/dockerfile:1\nARG A=22\nFROM node:$A AS a\nCOPY --from=a /a /a\nRUN <<EOT\necho\nEOT\n';
const compose =
  'x-a: &a { image: redis:7 }\nservices:\n  a: { <<: *a }\n  b: { build: . , image: "a:$B" }\n';

const examples: readonly [path: string, text: string][] = [
  ...[
    ...['npm-6/package-lock.json', 'npm-12/package-lock.json', 'pnpm-5/pnpm-lock.yaml'],
    ...['pnpm-9/pnpm-lock.yaml', 'yarn-1/yarn.lock', 'yarn-4/yarn.lock', 'bun-1.4/bun.lock'],
    ...['poetry-2.5/poetry.lock', 'uv-0.13/uv.lock', 'uv-0.13/pylock.toml'],
    ...['pdm-2.24/pdm.lock', 'pipenv-2026/Pipfile.lock'],
    'pip-tools-7/requirements.txt',
    ...['maven-dependency-3.6/dependency-tree.txt', 'bills/npm-10.cdx.json'],
    'bills/npm-12.spdx.json',
  ].map((path): [string, string] => [path, exampleText(path)]),
  ['pom.xml', pom],
  ['pyproject.toml', '[build-system]\nrequires = ["hatchling==1.25", "a>=1"]\n'],
  ['Dockerfile', dockerfile],
  ['compose.yaml', compose],
  ['gradle.lockfile', '# a\ng:a:1=b\nempty=\n'],
];

/** What breaks things: marks of the formats, names that JavaScript knows, and pieces of the text itself. */
const pieces = fc.oneof(
  fc.constantFrom(...'{}[]()"\'`:,.;@#$%&*!?/\\|<>=+-~^ \t\n\r\u0000\u2028'),
  fc.constantFrom('__proto__', 'constructor', 'null', 'true', '1', '&a ', '*a', '<<: ', '${'),
  fc.string({ maxLength: 5 }),
);

const change = (text: string, at: number, length: number, piece: string): string => {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + piece + text.slice(start + length);
};

it.each(examples)('reads %s or says why not, whatever is changed in it', (path, text) => {
  const changes = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(30), pieces),
    { minLength: 1, maxLength: 4 },
  );

  fc.assert(
    fc.property(changes, (all) => {
      const changed = all.reduce(
        (now, [at, length, piece]) => change(now, at, length, piece),
        text,
      );
      try {
        for (const { ecosystem, name, version } of read(path, changed).dependencies) {
          expect(isPackageName(ecosystem, name)).toBe(true);
          expect(isPackageVersion(ecosystem, version)).toBe(true);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableDependencyFileError);
      }
    }),
    { numRuns: 300 },
  );
});
