import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  cruise,
  type ICruiseOptions,
  type ICruiseResult,
  type IFlattenedRuleSet,
} from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { default: config } = await import(
  pathToFileURL(join(process.cwd(), '.dependency-cruiser.mjs')).href
);
const { forbidden, options }: IFlattenedRuleSet & { options: ICruiseOptions } = config;

/** One import of each kind that the rules refuse: the file, what it imports, and the rule. */
const refused: readonly [file: string, specifier: string, rule: string][] = [
  ['shared/storage/a.ts', '../use-cases/b.ts', 'storage may not import this'],
  ['shared/domain/c.ts', 'zod', 'domain may not import this'],
  ['shared/domain/d.ts', 'node:fs', 'domain may not import this'],
  ['shared/unknown/e.ts', '../domain/f.ts', 'every file of shared/ belongs to a module'],
  ['shared/domain/f.ts', './missing.ts', 'no import that leads nowhere'],
  ['shared/domain/circle-a.ts', './circle-b.ts', 'no circle'],
  [
    'shared/domain/vulnerabilities/g.ts',
    '../review/h.ts',
    'a part of the domain imports only the parts below it',
  ],
  [
    'shared/domain/packages/i.ts',
    '../licenses/j.ts',
    'the domain of packages knows nothing of reviews, licenses and vulnerabilities',
  ],
  ['shared/storage/dynamodb/k.ts', '../scans/l.ts', 'what reads and writes items knows no table'],
  ['shared/ecosystems/npm/m.ts', './origin/n.ts', 'names and versions of an ecosystem are pure'],
  [
    'shared/ecosystems/npm/lockfiles/o.ts',
    '../origin/n.ts',
    'readers of lockfiles and manifests run in browsers, too',
  ],
  ['shared/ecosystems/npm/origin/n.ts', '../../pypi/p.ts', 'an ecosystem knows no other one'],
  [
    'shared/ecosystems/pypi/origin/q.ts',
    '../../../storage/scans/l.ts',
    'only the gate of an ecosystem uses storage',
  ],
  ['console/r.ts', '../shared/storage/scans/l.ts', 'the console gets what browsers can run'],
  ['console/parts/aa.ts', '../views/check/bb.ts', 'console/parts imports only the parts below it'],
  ['console/views/check/bb.ts', '../overview/cc.ts', 'a view of the console knows no other view'],
  ['cli/s.ts', '../shared/storage/scans/l.ts', 'the command line talks to the API alone'],
  ['cli/framework/y.ts', '../commands/z.ts', 'what commands are built with knows no command'],
  [
    'cli/commands/check/y.ts',
    '../z.ts',
    'a command knows no other command, but for those of agents',
  ],
  ['functions/t.ts', '../infra/u.ts', 'the API and what is shared know nothing of what uses them'],
  [
    'infra/u.ts',
    '../shared/storage/scans/l.ts',
    'the stack knows settings and rules, and neither storage nor use cases',
  ],
  [
    'infra/local/v.ts',
    '../../local-aws/src/w.ts',
    'the local AWS is entered by its index, and knows no registry',
  ],
  ['local-aws/src/w.ts', '../../shared/domain/f.ts', 'the local AWS knows no registry'],
  ['web/x.ts', '../shared/domain/f.ts', 'web may not import this'],
];

/** The other imports of the samples. */
const others = [
  'cli/commands/z.ts',
  'console/views/overview/cc.ts',
  'shared/use-cases/b.ts',
  'shared/domain/review/h.ts',
  'shared/domain/licenses/j.ts',
  'shared/storage/scans/l.ts',
  'shared/ecosystems/pypi/p.ts',
];

describe('the boundaries between modules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boundaries-test-'));
  let violations: { readonly from: string; readonly rule: string }[];

  const plant = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };

  beforeAll(async () => {
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    for (const file of others) plant(file, 'export const nothing = 1;\n');
    // An imported type is enough to couple two modules.
    for (const [file, specifier] of refused)
      plant(
        file,
        `import type * as planted from '${specifier}';\nexport type Planted = typeof planted;\n`,
      );
    plant('shared/domain/circle-b.ts', "import './circle-a.ts';\n");
    plant('shared/domain/allowed.ts', "import '../util/y.ts';\n");
    plant('shared/util/y.ts', 'export const nothing = 1;\n');
    const { output } = await cruise(
      ['shared', 'functions', 'infra', 'cli', 'console', 'web', 'local-aws'],
      { ...options, baseDir: folder, validate: true, ruleSet: { forbidden: forbidden ?? [] } },
    );
    violations = (output as ICruiseResult).summary.violations.map(({ from, rule }) => ({
      from,
      rule: rule.name,
    }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(refused)('refuse that %s imports %s', (from, _specifier, rule) => {
    expect(violations).toContainEqual({ from, rule });
  });

  it('allow an import that no rule forbids', () => {
    expect(violations.filter(({ from }) => from === 'shared/domain/allowed.ts')).toEqual([]);
  });

  it('have a sample of each kind of rule', () => {
    const kinds = new Set(
      refused.map(([, , rule]) => rule.replace(/^\S+ (?=may not|imports only)/, '')),
    );
    const rules = (forbidden ?? []).map(({ name }) =>
      (name ?? '').replace(/^\S+ (?=may not|imports only)/, ''),
    );

    expect([...kinds].sort()).toEqual([...new Set(rules)].sort());
  });
});
