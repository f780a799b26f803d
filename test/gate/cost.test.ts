import { afterEach, beforeEach, expect, it } from 'vitest';
import { noFacts } from '../../shared/domain/facts/facts.ts';
import { defaultScanPolicy } from '../../shared/domain/scans/judge.ts';
import { keepFacts } from '../../shared/facts/keep-facts.ts';
import { serveNpm } from '../../shared/gate/npm/serve-npm.ts';
import { decidePackage } from '../../shared/review/decide-package.ts';
import { submitPackage } from '../../shared/review/submit-package.ts';
import { writeContext } from '../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../support/engine.ts';

const origin = 'https://registry.example.com';
const files = { origin, isSpread: false, places: [] };
const context = () => ({ base: 'https://gate.example.com/npm', files, now: new Date() });

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const approve = async (name: string, version: string, more: object = {}): Promise<void> => {
  const id = { ecosystem: 'npm', name, version } as const;
  const tarball = `${origin}/${name}/-/${name}-${version}.tgz`;
  const dist = { tarball, integrity: 'sha512-AAAA' };
  await submitPackage(id, writeContext());
  await keepFacts(
    id,
    {
      facts: { ...noFacts, found: 'yes', reason: null, published_at: '2024-01-01T00:00:00.000Z' },
      manifest: { kind: 'npm', version: { name, version, dist, ...more } },
    },
    {
      ...{ now: new Date(), policy: defaultScanPolicy, everyHours: 168 },
      deadline: { remainingMs: () => 30_000 },
    },
  );
  await decidePackage(id, { to: 'approved', by: 'ana' }, writeContext());
};

it('a packument of 20 approved versions takes 2 calls', async () => {
  for (let at = 0; at < 20; at += 1) await approve('lib', `1.${at}.0`);

  const { result, calls, writeUnits } = await measure(() => serveNpm('lib', context()));

  expect(Object.keys(Object(result)['document'].versions)).toHaveLength(20);
  expect({ calls, writeUnits }).toEqual({ calls: 2, writeUnits: 0 });
});

it('each package that versions may do without takes one more, however many versions name it', async () => {
  const optionalDependencies = { native: '1.0.0', other: '1.0.0' };
  for (let at = 0; at < 3; at += 1) await approve('lib', `1.${at}.0`, { optionalDependencies });
  await approve('native', '1.0.0');

  const { result, calls, roundTrips } = await measure(() => serveNpm('lib', context()));

  const { versions } = Object(result)['document'];
  expect(versions['1.2.0'].optionalDependencies).toEqual({ native: '1.0.0' });
  expect({ calls, roundTrips }).toEqual({ calls: 4, roundTrips: 3 });
});

it('a file takes 2 calls, and a refusal 3', async () => {
  await approve('lib', '1.0.0');

  const file = await measure(() => serveNpm('lib/-/lib-1.0.0.tgz', context()));
  const refusal = await measure(async () => {
    await expect(serveNpm('lib/-/lib-2.0.0.tgz', context())).rejects.toThrow('approved: 1.0.0');
  });

  expect(file.result).toEqual({ location: `${origin}/lib/-/lib-1.0.0.tgz` });
  expect(file.calls).toBe(2);
  expect(refusal.calls).toBe(3);
});

it('a file at another host than the registry is not handed on', async () => {
  const dist = { tarball: 'https://evil.example.com/lib.tgz', integrity: 'sha512-AAAA' };
  await approve('lib', '1.0.0', { dist });

  await expect(serveNpm('lib/-/lib-1.0.0.tgz', context())).rejects.toThrow(
    "lies at a host that is not its registry's",
  );
});
