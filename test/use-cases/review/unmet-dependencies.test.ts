import { afterEach, beforeEach, expect, it } from 'vitest';
import { lodashDetail } from '../../../shared/api/openapi/examples/packages.ts';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { withReadBudget } from '../../../shared/storage/dynamodb/read-budget.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { findEvidenceVersion } from '../../../shared/use-cases/review/evidence-version.ts';
import { findUnmetDependencies } from '../../../shared/use-cases/review/find-unmet-dependencies.ts';
import { judgeVersion } from '../../../shared/use-cases/review/judge-version.ts';
import { showEvidence } from '../../../shared/use-cases/review/show-evidence.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { putVersion } from '../../support/put-version.ts';

const app = { ecosystem: 'npm', name: 'app', version: '1.0.0' } as const;
const hourMs = 3_600_000;

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const toManifest = (dependencies: Readonly<Record<string, string>>): Manifest => ({
  kind: 'npm',
  version: { name: app.name, version: app.version, dependencies },
});

/** Submits a version, and stores its upstream metadata with a manifest. */
const submitWith = async (id: PackageId, manifest: Manifest) => {
  await submitPackage(id, writeContext());
  const facts = { ...noFacts, found: 'yes', reason: null } as const;
  const deadline = { remainingMs: () => 10_000 };
  const context = { now: new Date(), policy: defaultScanPolicy, everyHours: 168, deadline };
  await saveFacts(id, { facts, manifest }, context);
};

const approve = async (id: PackageId, expiresAt?: string) => {
  await submitPackage(id, writeContext());
  const expiry = expiresAt === undefined ? {} : { expires_at: expiresAt };
  await decidePackage(id, { to: 'approved', by: 'ana', ...expiry }, writeContext());
};

const settings = {
  rules: {},
  inquiries: { isScanning: false, isCollectingFacts: false },
  readFileRules: () => ({ origin: 'https://origin.example.com', isSpread: false, places: [] }),
};

const listUnmet = async (id: PackageId, now = new Date()) =>
  (await showEvidence(id, settings, now)).issues.filter(({ code }) => code === 'dependency_unmet');

const find = (manifest: Manifest) => findUnmetDependencies('npm', manifest, new Date());

/** Returns `count` dependencies, `d0` to `d…`. */
const dependOn = (count: number): Manifest =>
  toManifest(Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}`, '^2.0.0'])));

/** Stores approved versions 1.0.0, 1.1.0 and so on of a package, without counters and audit trail. */
const putApproved = async (name: string, count: number, description: string | null = null) => {
  for (let at = 0; at < count; at += 1) {
    const version = `1.${at}.0`;
    await putVersion(
      { ...lodashDetail, name, version, status: 'approved', description, expires_at: null },
      {},
    );
  }
};

it('appears until an approved version is in the range of each dependency', async () => {
  await submitWith(app, toManifest({ lodash: '^4.0.0', foo: '>=2', old: 'git://example.com/old' }));
  await approve({ ecosystem: 'npm', name: 'lodash', version: '3.0.0' });
  const before = await listUnmet(app);
  await approve({ ecosystem: 'npm', name: 'lodash', version: '4.17.21' });
  const between = await listUnmet(app);
  await approve({ ecosystem: 'npm', name: 'foo', version: '2.0.0' });

  expect(before).toEqual([
    {
      code: 'dependency_unmet',
      message:
        '2 dependencies have no approved version in their range: npm:lodash ^4.0.0; npm:foo >=2.',
      blocks: false,
    },
  ]);
  expect(between).toMatchObject([{ message: expect.stringContaining('1 dependency has') }]);
  expect(await listUnmet(app)).toEqual([]);
});

it('neither blocks an approval nor changes the evidence version', async () => {
  await submitWith(app, toManifest({ lodash: '^4.0.0' }));
  const now = new Date();
  const { issues, evidence_version } = await showEvidence(app, settings, now);
  const judgement = await judgeVersion(app, {}, now);

  expect(issues.map(({ code }) => code)).toContain('dependency_unmet');
  expect(judgement.issues.map(({ code }) => code)).not.toContain('dependency_unmet');
  expect(evidence_version).toBe(findEvidenceVersion(judgement, now));
  await decidePackage(
    app,
    { to: 'approved', by: 'ana', expectedEvidenceVersion: evidence_version },
    writeContext(),
  );
});

it('appears again when an approval expires', async () => {
  const [now, later] = [new Date(), new Date(Date.now() + 2 * hourMs)];
  const until = new Date(now.getTime() + hourMs).toISOString();
  await submitWith(app, toManifest({ lodash: '^4.0.0' }));
  await approve({ ecosystem: 'npm', name: 'lodash', version: '4.17.21' }, until);

  expect(await listUnmet(app, now)).toEqual([]);
  expect(await listUnmet(app, later)).toHaveLength(1);
});

it('names requirements of PyPI in any spelling', async () => {
  const id = { ecosystem: 'pypi', name: 'app', version: '1.0' } as const;
  const requirements = ['Typing_Extensions >=4,<5', 'idna'];
  await submitWith(id, { kind: 'pypi', files: [], requirements });
  await approve({ ecosystem: 'pypi', name: 'typing-extensions', version: '4.12' });

  const [issue] = await listUnmet(id);

  expect(issue?.message).toBe('1 dependency has no approved version in its range: pypi:idna.');
});

it('names no dependency with more approved versions than are read', async () => {
  await putApproved('d0', 9);

  expect(await find(dependOn(1))).toEqual([]);
});

it('reads at most 40 dependencies, in one call each and 20 units', async () => {
  const manifest = dependOn(62);
  await submitWith(app, manifest);
  await submitWith({ ...app, name: 'alone' }, toManifest({}));
  for (let at = 0; at < 40; at += 1) await putApproved(`d${at}`, 1);
  const read = (name: string) =>
    measure(() => withReadBudget(() => showEvidence({ ...app, name }, settings, new Date())));

  const alone = await read('alone');
  const { result, calls, readUnits, roundTrips } = await read('app');

  expect(result.issues).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('40 of 62 dependencies') }),
  );
  expect(calls - alone.calls).toBe(40);
  expect(readUnits - alone.readUnits).toBeLessThanOrEqual(20);
  expect(roundTrips - alone.roundTrips).toBeLessThanOrEqual(9);
});

it('reads fewer dependencies with the largest versions', async () => {
  for (let at = 0; at < 4; at += 1) await putApproved(`d${at}`, 8, '\u4e2d'.repeat(4096));

  const { calls, readUnits } = await measure(() => withReadBudget(() => find(dependOn(4))));

  expect(calls).toBeLessThan(4);
  expect(readUnits).toBeLessThanOrEqual(20);
});

it('is left out if the request may not read enough', async () => {
  const { result, calls } = await measure(() => withReadBudget(() => find(dependOn(3)), 200));

  expect(result).toEqual([]);
  expect(calls).toBe(0);
});
