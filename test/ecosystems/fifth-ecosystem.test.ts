import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import { copyProject, editFile } from '../support/project-copy.ts';

/**
 * The files that the compiler names for a fifth ecosystem. The functions that read settings, and their test, compile
 * again once `shared/api/resources.ts` has its address.
 */
const changed = [
  'console/evidence/upstream-metadata.tsx',
  'infra/constructs/registry-function.ts',
  'infra/origin-addresses.ts',
  'infra/recalls/fetched-paths.ts',
  'shared/api/openapi/examples/review.ts',
  'shared/api/openapi/operation-docs.ts',
  'shared/api/resources.ts',
  'shared/api/schemas/service.ts',
  'shared/api/settings/env.ts',
  'shared/ecosystems/origin-client.ts',
  'shared/ecosystems/parse-dependency-file.ts',
  'shared/ecosystems/rules.ts',
  'shared/storage/catalogue/facets.ts',
  'test/ecosystems/origin/hostile.test.ts',
  'test/infra/local/settings.test.ts',
  'test/support/realistic-packages.ts',
  'test/use-cases/package-check/check-packages.test.ts',
];

/** The pages that name every ecosystem. */
const pages = [
  'README.md',
  'docs/architecture.md',
  'docs/code-map.md',
  'docs/review-settings.md',
  'docs/evidence.md',
  'docs/glossary.md',
  'docs/scans.md',
  'openapi.json',
  'shared/ecosystems/README.md',
];

/** Returns the pages of the project in a folder that leave one of the ecosystems out. */
const listSilentPages = (folder: string, named: readonly string[]): string[] =>
  pages.filter((page) => {
    const text = readFileSync(join(folder, page), 'utf8');
    return !named.every((one) => new RegExp(`\\b${one}\\b`, 'i').test(text));
  });

const fifth = 'cargo';
let copy: string;

beforeAll(() => {
  copy = copyProject();
  editFile(copy, 'shared/ecosystems/ecosystem.ts', (text) =>
    text.replace("'maven'] as const", `'maven', '${fifth}'] as const`),
  );
});
afterAll(() => rmSync(copy, { recursive: true }));

it('pages name every ecosystem', () => {
  expect(listSilentPages('.', ecosystems)).toEqual([]);
});

it('pages are reported that leave a fifth ecosystem out', () => {
  expect(listSilentPages(copy, [...ecosystems, fifth])).toEqual(pages);
});

it('the compiler names each file that a fifth ecosystem changes, and these are few', () => {
  const named = [[], ['-p', 'cli'], ['-p', 'console']].flatMap((project) => {
    const { stdout } = spawnSync(
      join('node_modules/.bin', 'tsc'),
      [...project, '--pretty', 'false'],
      {
        cwd: copy,
        encoding: 'utf8',
      },
    );
    return [...stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file);
  });

  expect([...new Set(named)].toSorted()).toEqual(changed);
  expect(changed.length + pages.length).toBeLessThanOrEqual(26);
});
