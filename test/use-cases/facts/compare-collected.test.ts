import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CollectedRelease } from '../../../shared/domain/facts/collected-facts.ts';
import { type Facts, noFacts } from '../../../shared/domain/facts/facts.ts';
import type { ReleaseDetails } from '../../../shared/domain/facts/release-details.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { listInstalledByNpm } from '../../../shared/ecosystems/npm/manifest/npm-attributes.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { findVersionChanges } from '../../../shared/storage/reviews/version-changes-item.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { showChanges } from '../../../shared/use-cases/review/show-changes.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { digest } from '../../../shared/util/digest.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const axios = (version: string): PackageId => ({ ecosystem: 'npm', name: 'axios', version });

const start = Date.now();

const daysAgo = (days: number): string => new Date(start - days * 86_400_000).toISOString();

interface Upstream {
  readonly facts?: Partial<Facts>;
  readonly details?: Partial<ReleaseDetails>;
  readonly publications?: CollectedRelease['publications'];
  readonly dependencies?: readonly string[];
  /** Dependencies with their specifiers. */
  readonly specifiers?: Readonly<Record<string, string>>;
}

const toRelease = (
  version: string,
  { facts, details, publications, dependencies = [], specifiers = {} }: Upstream,
): CollectedRelease => ({
  facts: {
    ...noFacts,
    ...{ found: 'yes', reason: null, name_found: true, provenance: true },
    ...{ license: 'MIT', license_declaration: 'readable', license_statement: 'MIT' },
    published_at: daysAgo(60),
    install_scripts: [],
    ...facts,
  },
  manifest: {
    kind: 'npm',
    version: {
      ...{ name: 'axios', version },
      dependencies: {
        ...Object.fromEntries(dependencies.map((name) => [name, '1'])),
        ...specifiers,
      },
      dist: { shasum: Buffer.from(version.padEnd(20)).toString('hex') },
    },
  },
  details: { described: true, ...details },
  ...(publications && { publications }),
});

/** Names whose first publication was requested. */
const requested: string[] = [];
beforeEach(() => {
  requested.length = 0;
});

/** Saves the upstream metadata of a version, and of the one that upstream published before it. */
const collect = async (
  version: string,
  upstream: Upstream = {},
  {
    earlier,
    first = {},
    remainingMs = 100_000,
  }: {
    readonly earlier?: Upstream & { readonly version: string };
    readonly first?: Readonly<Record<string, string | undefined>>;
    readonly remainingMs?: number;
  } = {},
): Promise<void> => {
  await saveFacts(
    axios(version),
    {
      ...toRelease(version, upstream),
      ...(earlier && {
        earlier: { version: earlier.version, ...toRelease(earlier.version, earlier) },
      }),
    },
    {
      ...{ now: new Date(), policy: defaultScanPolicy, everyHours: 168 },
      deadline: { remainingMs: () => remainingMs },
      findFirstPublication: async ({ name }) => {
        requested.push(name);
        return name in first ? first[name] : null;
      },
    },
  );
};

const submit = async (...given: Parameters<typeof collect>): Promise<void> => {
  await submitPackage(axios(given[0]), writeContext());
  await collect(...given);
};

const approve = (version: string) =>
  decidePackage(
    axios(version),
    { to: 'approved', by: 'ana', reason: 'seen', override: true },
    writeContext(),
  );

const comparisonOf = async (version: string) =>
  (await readReviewState(axios(version))).facts?.comparison;

const codesOf = async (version: string) =>
  (await comparisonOf(version))?.issues.map(({ code }) => code);

const safe: Upstream = { details: { publisher: 'ci', maintainers: ['jason'] } };
/** What axios 1.14.1 of March 2026 had. */
const malicious: Upstream = {
  facts: { provenance: false, install_scripts: ['postinstall'] },
  details: { publisher: 'eve' },
  publications: [
    // The version before was malicious, too.
    { publisher: 'eve', published_at: daysAgo(59) },
    { publisher: 'ci', published_at: daysAgo(60) },
    { publisher: 'jason', published_at: daysAgo(90) },
  ],
  dependencies: ['plain-crypto-js'],
};
const young = { 'plain-crypto-js': daysAgo(0.75) };

const allFour = [
  'new_dependency_young',
  'install_scripts_added',
  'publisher_changed',
  'provenance_lost',
];

describe('a collected version', () => {
  it('has the issues in what changed since the nearest approved version', async () => {
    await submit('1.14.0', safe);
    await approve('1.14.0');

    await submit('1.14.1', malicious, {
      first: young,
      earlier: { version: '1.14.0', ...malicious },
    });

    expect(await codesOf('1.14.1')).toEqual(allFour);
    const stored = await findVersionChanges(axios('1.14.1'));
    expect(stored).toMatchObject({ since: '1.14.0', since_status: 'approved' });
    expect(stored?.changes.find(({ name }) => name === 'plain-crypto-js')).toMatchObject({
      registry_status: 'not_in_registry',
      first_published_at: young['plain-crypto-js'],
    });
  });

  it('is compared with the one that upstream published before if none is approved', async () => {
    await submit('1.14.1', malicious, { first: young, earlier: { version: '1.14.0', ...safe } });

    expect(await codesOf('1.14.1')).toEqual(allFour);
    const shown = await showChanges(axios('1.14.1'), new Date());
    expect(shown).toMatchObject({ since: '1.14.0', since_status: null, change_count: 4 });
  });

  it('has no issues without an earlier version', async () => {
    await submit('1.14.1', malicious, { first: young });

    expect(await comparisonOf('1.14.1')).toEqual({ since: null, issues: [], unknown: [] });
    expect(requested).toEqual([]);
  });

  it('is compared again at each collection, until the decision', async () => {
    const earlier = { version: '1.14.0', ...safe };
    await submit('1.14.1', malicious, { first: young, earlier });
    const first = await readReviewState(axios('1.14.1'));

    await collect('1.14.1', malicious, { first: young, earlier });
    const same = await readReviewState(axios('1.14.1'));
    await collect('1.14.1', malicious, { earlier: { ...earlier, ...malicious } });
    const other = await readReviewState(axios('1.14.1'));
    await approve('1.14.1');
    await collect('1.14.1', malicious, { earlier });
    const decided = await readReviewState(axios('1.14.1'));

    expect(same.evidence_revision).toBe(first.evidence_revision);
    expect(other.evidence_revision).toBe(first.evidence_revision + 1);
    expect(other.facts?.comparison?.issues).toEqual([]);
    expect(decided.facts?.comparison?.issues).toEqual([]);
  });

  it('keeps its issues while the origin does not answer', async () => {
    await submit('1.14.1', malicious, { first: young, earlier: { version: '1.14.0', ...safe } });

    await collect('1.14.1', { facts: { ...noFacts, found: 'unknown', reason: 'away' } });

    expect(await codesOf('1.14.1')).toEqual(allFour);
  });
});

describe('a suspicious dependency', () => {
  const earlier = { version: '1.0.0', dependencies: ['left-pad'] };

  it.each([
    ['from Git', { evil: 'git+https://code.example/eve/evil.git' }],
    ['of an address', { evil: 'https://files.example/evil.tgz' }],
    ['with an unreadable name', { 'e\u200bvil': '1' }],
    ['without a visible name', { '\u200b': 'npm:evil@1' }],
    ['that comes from Git instead of the registry', { 'left-pad': 'eve/left-pad' }],
  ])('%s has an unknown age, which no request can find', async (_, specifiers) => {
    await submit('1.1.0', { dependencies: ['left-pad'], specifiers }, { earlier });

    expect(await comparisonOf('1.1.0')).toMatchObject({
      issues: [],
      unknown: ['new_dependency_young'],
    });
    const { refresh_at } = await readReviewState(axios('1.1.0'));
    expect(Date.parse(refresh_at ?? '') - Date.now()).toBeGreaterThan(6 * 86_400_000);
  });

  it('is new under a known name if that name is an alias now', async () => {
    const first = { evil: daysAgo(1) };
    await submit('1.1.0', { specifiers: { 'left-pad': 'npm:evil@1' } }, { earlier, first });

    expect(await codesOf('1.1.0')).toEqual(['new_dependency_young']);
    expect((await comparisonOf('1.1.0'))?.issues[0]?.message).toContain('evil (');
    const stored = await findVersionChanges(axios('1.1.0'));
    expect(stored?.changes[0]).toMatchObject({
      ...{ change: 'changed', name: 'left-pad', after: 'npm:evil@1' },
      ...{ registry_status: 'not_in_registry', first_published_at: first.evil },
    });
  });

  it('is the one of the optional dependencies, which npm prefers to an equal name', () => {
    const release = toRelease('1.1.0', { dependencies: ['left-pad'] });
    const { manifest } = release;
    if (manifest?.kind !== 'npm') throw new Error('It is no npm version');
    const version = { ...manifest.version, optionalDependencies: { 'left-pad': 'npm:evil@1' } };

    expect(listInstalledByNpm(version)).toEqual([{ name: 'left-pad', range: 'npm:evil@1' }]);
  });

  it('and lost provenance are found beyond the changes that an answer shows', async () => {
    const names = Array.from({ length: 250 }, (_, at) => `d${at}`);
    await submit(
      '1.1.0',
      { facts: { provenance: false }, dependencies: ['left-pad'] },
      { earlier: { version: '1.0.0', dependencies: names } },
    );
    await submit('1.2.0', { dependencies: [...names, 'left-pad'] }, { earlier });

    expect(await codesOf('1.1.0')).toEqual(['provenance_lost']);
    expect(await comparisonOf('1.2.0')).toMatchObject({ unknown: ['new_dependency_young'] });
  });
});

it('has unknown issues if the approved version has no stored metadata', async () => {
  await submitPackage(axios('1.14.0'), writeContext());
  await approve('1.14.0');

  await submit('1.14.1', malicious, { first: young });

  expect(await comparisonOf('1.14.1')).toMatchObject({
    since: '1.14.0',
    issues: [],
    unknown: [...allFour, 'repository_changed'],
  });
});

describe('the first publication of added dependencies', () => {
  const earlier = { version: '1.0.0' };

  it('is requested once for each submission', async () => {
    const dependencies = ['plain-crypto-js', 'unknown-one'];
    await submit('1.1.0', { dependencies }, { first: young, earlier });
    await collect('1.1.0', { dependencies }, { first: young, earlier });

    expect(requested).toEqual([...dependencies, 'unknown-one']);
  });

  it('is not requested for approved dependencies and for those that did not change', async () => {
    await submitPackage({ ecosystem: 'npm', name: 'known', version: '1.0.0' }, writeContext());
    await decidePackage(
      { ecosystem: 'npm', name: 'known', version: '1.0.0' },
      { to: 'approved', by: 'ana', reason: 'seen', override: true },
      writeContext(),
    );
    await submit(
      '1.1.0',
      { dependencies: ['known', 'old'] },
      { earlier: { ...earlier, dependencies: ['old'] } },
    );

    expect(requested).toEqual([]);
    expect(await comparisonOf('1.1.0')).toMatchObject({ issues: [], unknown: [] });
  });

  it('is unknown for the 21st, and if time is short', async () => {
    const dependencies = Array.from({ length: 21 }, (_, at) => `d${at}`);
    const first = Object.fromEntries(dependencies.map((name) => [name, daysAgo(100)]));
    await submit('1.1.0', { dependencies }, { earlier, first });
    await submit('1.2.0', { dependencies: ['d1'] }, { earlier, first, remainingMs: 59_000 });

    expect(requested).toHaveLength(20);
    for (const version of ['1.1.0', '1.2.0']) {
      expect(await comparisonOf(version)).toMatchObject({
        issues: [],
        unknown: ['new_dependency_young'],
      });
    }
  });

  it('is requested again within minutes if it is unknown', async () => {
    await submit('1.1.0', { dependencies: ['d1'] }, { earlier });
    const { refresh_at } = await readReviewState(axios('1.1.0'));
    await collect('1.1.0', { dependencies: ['d1'] }, { earlier, first: { d1: daysAgo(100) } });

    expect(Date.parse(refresh_at ?? '') - Date.now()).toBeLessThan(5 * 60_000);
    const after = await readReviewState(axios('1.1.0'));
    expect(after.facts?.comparison).toEqual({ since: '1.0.0', issues: [], unknown: [] });
    expect(Date.parse(after.refresh_at ?? '') - Date.now()).toBeGreaterThan(6 * 86_400_000);
  });

  it("is no question for the organisation's own packages", async () => {
    await submit('1.1.0', { dependencies: ['own'] }, { earlier, first: { own: undefined } });

    expect(await comparisonOf('1.1.0')).toMatchObject({ issues: [], unknown: [] });
  });
});

it('stores changes that two read units return, however many there are', async () => {
  // Digests do not compress.
  const dependencies = Array.from({ length: 200 }, (_, at) =>
    [0, 1, 2, 3, 4].map((part) => digest([at, part]).toLowerCase()).join(''),
  );
  const given: [Upstream, object] = [
    { dependencies },
    { earlier: { version: '1.0.0', dependencies: dependencies.map((name) => `x${name}`) } },
  ];
  await submit('1.1.0', ...given);

  const { result, readUnits } = await measure(() => findVersionChanges(axios('1.1.0')));
  const again = await measure(() => collect('1.1.0', ...given));

  // The review state and its entry in the index of refreshes alone: the same changes are not written again.
  expect(again.writeUnits).toBe(3);
  expect(result?.change_count).toBe(400);
  expect(result?.changes.length).toBeGreaterThan(20);
  expect(result?.changes.length).toBeLessThan(200);
  expect(readUnits).toBeLessThanOrEqual(2);
});
