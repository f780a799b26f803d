import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readStack } from 'local-aws';
import { describe, expect, inject, it } from 'vitest';
import { goWithout } from '../../infra/local/synthesis.ts';
import { allFunctions } from '../../shared/functions.ts';
import { functionOf } from '../support/functions.ts';

/** What a function costs to load grows with its bundle; this leaves some room above today's largest. */
const maxBundleBytes = 530 * 1024;

/** Functions that are larger. Pages hold all that they show: Lambda answers with 6 MB at most, in which JSON escapes the text. */
const largerBytes: Readonly<Record<string, number>> = {
  'show-docs': 2.2 * 1024 * 1024,
  'show-command-line': 1.6 * 1024 * 1024,
  // It reads XML, HTML and addresses as origins write them, and nobody waits for it.
  'collect-facts': 600 * 1024,
};

const bundleOf = (id: string): string =>
  join(functionOf(readStack(inject('assembly'), { goWithout }), id).codeDirectory, 'index.mjs');

describe('the functions', () => {
  it('are exactly one file for each route, page and worker, named by its id', () => {
    const files = readdirSync('functions').sort();

    expect(files).toEqual(allFunctions.map(({ id }) => `${id}.ts`).sort());
  });

  it.each(readdirSync('functions'))('stay small enough to read at a glance: %s', (file) => {
    const lines = readFileSync(join('functions', file), 'utf8').split('\n').length;

    expect(lines).toBeLessThanOrEqual(40);
  });
});

describe('the bundle', () => {
  it.each(allFunctions.map(({ id }) => id))('of %s is small', (routeId) => {
    const limit = largerBytes[routeId] ?? maxBundleBytes;

    expect(statSync(bundleOf(routeId)).size).toBeLessThan(limit);
  });

  it.each(allFunctions.map(({ id, access }) => [id, 'tokens' in access] as const))(
    'of %s has the Secrets Manager client only if it checks tokens: %s',
    (routeId, checksTokens) => {
      const code = readFileSync(bundleOf(routeId), 'utf8');

      expect(code.includes('SecretsManagerServiceException')).toBe(checksTokens);
    },
  );

  it.each(allFunctions.map(({ id }) => id))(
    "of %s requires Node's http, since an import of it would load all of fetch",
    (routeId) => {
      const code = readFileSync(bundleOf(routeId), 'utf8');

      expect(/(?:from|import\(?) ?"(?:node:)?http"/.exec(code)).toBeNull();
    },
  );

  it("leaves the SDK's search for credentials and zod's other languages out", () => {
    const code = readFileSync(bundleOf('submit-package'), 'utf8');

    expect(code).not.toMatch(/fromSSO|fromIni|Ungültige Eingabe/);
  });
});
