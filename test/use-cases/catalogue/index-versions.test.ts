import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { digestFindings } from '../../../shared/domain/vulnerabilities/scan-source.ts';
import { severities } from '../../../shared/domain/vulnerabilities/severity.ts';
import type { ReviewStateStream } from '../../../shared/platform/worker/events/head-stream.ts';
import { findSimilarNames } from '../../../shared/storage/packages/approved-names.ts';
import { isReviewsPartition } from '../../../shared/storage/reviews/review-lists.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { readRowSource } from '../../../shared/storage/reviews/row-source.ts';
import { listAffected } from '../../../shared/storage/vulnerabilities/affected.ts';
import { mostIdsAtOnce } from '../../../shared/storage/vulnerabilities/list-version.ts';
import { indexVersions } from '../../../shared/use-cases/catalogue/index-versions.ts';
import { put } from '../../storage/integrity/reviewed-registry.ts';
import { makePom, maven, publish, readPomRows } from '../../storage/poms/leaning-versions.ts';
import { scanKnown, submitKnown } from '../../storage/vulnerabilities/known-versions.ts';
import type { KnownVersion } from '../../storage/vulnerabilities/oracle.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { readReviews } from '../vulnerability-index/accepted-registry.ts';

const deadline = { remainingMs: () => 60_000 };
const found = {
  id: 'CVE-2026-0001',
  aliases: [],
  severity: 'high' as const,
  known_exploited: false,
  isHarmless: false,
};

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
});

type HeadRecord = ReviewStateStream['Records'][number];

/** A scan source with findings, in DynamoDB's own JSON. */
const dirty = { M: { finished: { M: { digest: { S: 'of findings' } } } } };

/** An image of a review state, in DynamoDB's own JSON. */
const image = (
  evidence: number,
  revision: number,
  { sources = [dirty], batches = [], status = 'pending' }: ImageFields = {},
) => ({
  evidence_revision: { N: `${evidence}` },
  revision: { N: `${revision}` },
  sources: { L: sources },
  status: { S: status },
  submitted_at: { S: '2026-11-26T08:00:00.000Z' },
  submitted_by: { NULL: true },
  pinned: { NULL: true },
  submitter: { NULL: true },
  batches: { L: batches.map((S) => ({ S })) },
});

interface ImageFields {
  readonly sources?: readonly object[];
  readonly batches?: readonly string[];
  readonly status?: string;
}

const newEvidence = { OldImage: image(1, 1), NewImage: image(2, 1) };

const recordOf = (
  version: KnownVersion,
  SequenceNumber: string,
  images: object = newEvidence,
): HeadRecord => ({
  dynamodb: { SequenceNumber, Keys: { v: { S: toVersionKey(version) } }, ...images },
});

const clean = [
  { M: { finished: { M: { digest: { S: digestFindings([]) } } } } },
  { M: { finished: { NULL: true } } },
];

const scanned = async (name: string): Promise<KnownVersion> =>
  scanKnown(await submitKnown(name), [found]);

/** Makes unreadable what a scan found in a version. */
const damage = async (version: KnownVersion): Promise<void> => {
  const [source] = (await readReviewState(version)).sources;
  const k = `scan#${source?.id}`;
  await put('reviews', { v: toVersionKey(version), k, vulnerabilities: Buffer.from('no gzip') });
};

const listedNames = async (): Promise<string[]> =>
  (await listAffected(found.id, { count: 10 })).map(({ name }) => name);

it('goes on to the others where one version fails, and has the batch come again from there', async () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const [a, b, c] = [await scanned('a'), await scanned('b'), await scanned('c')];
  await damage(b);

  const Records = [recordOf(a, '1'), recordOf(b, '2'), recordOf(c, '3')];
  const answer = await indexVersions({ Records }, deadline);

  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  expect(await listedNames()).toEqual(['a', 'c']);
  expect(lines.mock.calls.join()).toContain('"event":"version_not_listed","version":"npm#b#1.0.0"');
});

it('fails as a whole where the first one fails, so that it is noticed', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const [a, b] = [await scanned('a'), await scanned('b')];
  await damage(a);

  const Records = [recordOf(a, '1'), recordOf(b, '2')];

  await expect(indexVersions({ Records }, deadline)).rejects.toThrow('1 of 2 versions');
  expect(await listedNames()).toEqual(['b']);
});

it.each([
  ['a scan without news', { OldImage: image(2, 1), NewImage: image(2, 1) }],
  [
    'a scan that found nothing',
    { OldImage: image(1, 0, { sources: [] }), NewImage: image(2, 0, { sources: clean }) },
  ],
])('reads nothing after %s', async (_, images) => {
  const version = await scanned('a');
  const Records = [recordOf(version, '1', images)];

  const { calls } = await measure(() => indexVersions({ Records }, deadline));

  expect(calls).toBe(0);
});

const submitted = image(0, 0, { sources: [], batches: ['shop'] });
const joined = image(0, 0, { sources: [], batches: ['shop', 'till'] });
const decided = image(0, 1, { sources: [], batches: ['shop', 'till'], status: 'approved' });
const expired = image(0, 2, { sources: [], batches: ['shop', 'till'] });

/** Gives a version the review state of an image, which its stream has. */
const become = async (version: KnownVersion, NewImage: object): Promise<void> => {
  const { sources: _, ...shown } = readRowSource(NewImage) ?? {};
  const head = await readReviewState(version);
  const key = { v: toVersionKey(version), k: 'head' };
  await put('reviews', { ...head, license: null, ...shown, ...key });
};

const readRows = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await readReviews())
      .filter(({ v }) => isReviewsPartition(String(v)))
      .map((row) => [String(row['v']), String(row['status'])]),
  );

it('lists a version among the pending ones, and in each of its batches', async () => {
  const version = await submitKnown('a');
  const deliver = async (images: { readonly OldImage?: object; readonly NewImage: object }) => {
    await become(version, images.NewImage);
    return measure(() => indexVersions({ Records: [recordOf(version, '1', images)] }, deadline));
  };

  const first = await deliver({ NewImage: submitted });
  expect(await readRows()).toEqual({ '#pending': 'pending', '#batch#shop': 'pending' });
  const second = await deliver({ OldImage: submitted, NewImage: joined });
  expect(await readRows()).toMatchObject({ '#batch#till': 'pending', '#wanted': 'pending' });
  const third = await deliver({ OldImage: joined, NewImage: decided });
  expect(await readRows()).toEqual({ '#batch#shop': 'approved', '#batch#till': 'approved' });
  await deliver({ OldImage: decided, NewImage: expired });
  expect(await readRows()).toMatchObject({ '#pending': 'pending', '#batch#shop': 'pending' });

  // Each batch is listed on its day. The review state shows that the joined batch is true; it makes the version a wanted one. The
  // approval deletes two rows, and looks for the name among the approved names, and adds it.
  expect(
    [first, second, third].map(({ calls, readUnits, writeUnits }) => [
      calls,
      readUnits,
      writeUnits,
    ]),
  ).toEqual([
    [3, 0, 3],
    [4, 1, 3],
    [7, 1.5, 5],
  ]);
});

it('lists an update by the registry until its first decision, also when its submission comes again', async () => {
  const version = await submitKnown('a');
  const of = (cause: string, one: object) => ({
    ...one,
    automatic: { M: { cause: { S: cause }, of: { NULL: true } } },
  });
  const deliver = (images: object) =>
    measure(() => indexVersions({ Records: [recordOf(version, '1', images)] }, deadline));

  const first = await deliver({ NewImage: of('update', submitted) });
  expect(await readRows()).toEqual({
    ...{ '#pending': 'pending', '#updates': 'pending', '#batch#shop': 'pending' },
  });
  await deliver({ OldImage: of('update', joined), NewImage: of('update', decided) });
  await deliver({ NewImage: of('update', submitted) });
  expect(await readRows()).toEqual({ '#batch#shop': 'approved', '#batch#till': 'approved' });
  await deliver({ OldImage: of('update', decided), NewImage: of('update', expired) });
  expect(await readRows()).not.toHaveProperty('#updates');

  expect([first.calls, first.readUnits]).toEqual([4, 0]);
});

it.each(['dependency', 'install'])('lists no %s among the updates', async (cause) => {
  const version = await submitKnown('a');
  const NewImage = { ...submitted, automatic: { M: { cause: { S: cause } } } };

  await indexVersions({ Records: [recordOf(version, '1', { NewImage })] }, deadline);

  expect(await readRows()).toEqual({ '#pending': 'pending', '#batch#shop': 'pending' });
});

it('knows the name of a version from its first approval on, also after the end of the approval', async () => {
  const version = await submitKnown('lodash');
  const deliver = (images: object) =>
    indexVersions({ Records: [recordOf(version, '1', images)] }, deadline);
  const findIt = () => findSimilarNames({ ecosystem: 'npm', name: 'l0dash' });

  await deliver({ NewImage: submitted });
  expect(await findIt()).toEqual([]);
  await deliver({ OldImage: joined, NewImage: decided });
  expect(await findIt()).toEqual(['lodash']);
  await deliver({ OldImage: decided, NewImage: expired });
  expect(await findIt()).toEqual(['lodash']);
});

it('keeps the rows of a version in a batch when a record from before its decision comes late', async () => {
  const version = await submitKnown('a');
  const deliver = (images: object) =>
    indexVersions({ Records: [recordOf(version, '1', images)] }, deadline);
  const decision = { OldImage: joined, NewImage: decided };
  await become(version, joined);
  await deliver({ OldImage: submitted, NewImage: joined });
  await become(version, decided);
  await deliver(decision);

  await deliver({ NewImage: submitted });
  await deliver({ OldImage: submitted, NewImage: joined });
  expect(await readRows()).toEqual({ '#batch#shop': 'approved', '#batch#till': 'approved' });

  await become(version, expired);
  await deliver({ OldImage: decided, NewImage: expired });
  await deliver(decision);
  expect(await readRows()).toEqual({
    ...{ '#pending': 'pending', '#batch#shop': 'pending', '#batch#till': 'pending' },
    '#wanted': 'pending',
  });
});

it('keeps the row of a pending version without a batch when its earlier decision comes late', async () => {
  const version = await submitKnown('a');
  const alone = (revision: number, status: string) => image(0, revision, { status, sources: [] });
  const deliver = (images: object) =>
    indexVersions({ Records: [recordOf(version, '1', images)] }, deadline);

  await deliver({ OldImage: alone(1, 'approved'), NewImage: alone(2, 'pending') });
  await deliver({ OldImage: alone(0, 'pending'), NewImage: alone(1, 'approved') });

  expect(await readRows()).toEqual({ '#pending': 'pending' });
});

it('lists a pending version by its worst vulnerability, and not by a late record', async () => {
  const version = await submitKnown('a');
  const none = image(1, 0);
  const counts = (severity: string) => ({
    M: Object.fromEntries(severities.map((one) => [one, { N: one === severity ? '1' : '0' }])),
  });
  const high = { ...image(2, 0), counts: counts('high') };
  const critical = { ...image(3, 0), counts: counts('critical') };
  const deliver = (OldImage: object, NewImage: object) =>
    measure(() =>
      indexVersions({ Records: [recordOf(version, '1', { OldImage, NewImage })] }, deadline),
    );
  const listSevere = async () =>
    (await readReviews()).filter(({ v }) => v === '#severe').map(({ k }) => String(k).slice(0, 2));

  await become(version, high);
  const first = await deliver(none, high);
  expect(await listSevere()).toEqual(['12']);
  await become(version, critical);
  await deliver(high, critical);
  expect(await listSevere()).toEqual(['02']);
  await deliver(none, high);
  expect(await listSevere()).toEqual(['02']);
  const clean = { ...image(4, 0), counts: counts('none') };
  await become(version, clean);
  await deliver(critical, clean);
  expect(await listSevere()).toEqual([]);

  expect(first.writeUnits).toBe(1);
});

it('lists a version under each license that it states, also after a decision', async () => {
  const version = await submitKnown('a');
  const licensed = (text: string, revision = 0, status = 'pending') => ({
    ...image(0, revision, { sources: [], status }),
    license: { S: text },
  });
  const deliver = async (images: { readonly OldImage?: object; readonly NewImage: object }) => {
    await become(version, images.NewImage);
    await indexVersions({ Records: [recordOf(version, '1', images)] }, deadline);
  };

  await deliver({ NewImage: licensed('MIT') });
  expect(await readRows()).toEqual({ '#pending': 'pending', '#license#mit': 'pending' });
  await deliver({ OldImage: licensed('MIT'), NewImage: licensed('ISC') });
  expect(await readRows()).toEqual({ '#pending': 'pending', '#license#isc': 'pending' });
  await deliver({ OldImage: licensed('ISC'), NewImage: licensed('ISC', 1, 'rejected') });
  expect(await readRows()).toEqual({ '#license#isc': 'rejected' });
});

it('lists a version under the label of the token that submitted it', async () => {
  const version = await submitKnown('a');
  const NewImage = { ...submitted, submitter: { S: 'ci' } };

  const { writeUnits } = await measure(() =>
    indexVersions({ Records: [recordOf(version, '1', { NewImage })] }, deadline),
  );

  expect(await readRows()).toHaveProperty('#label#ci', 'pending');
  expect(writeUnits).toBe(4);
});

it('leaves out a damaged version, and lists the others', async () => {
  const [damaged, whole] = [await submitKnown('a'), await submitKnown('b')];
  const NewImage = { ...submitted, counts: { NULL: true } };
  const Records = [
    recordOf(damaged, '1', { NewImage }),
    recordOf(whole, '2', { NewImage: submitted }),
  ];

  expect(await indexVersions({ Records }, deadline)).toEqual({ batchItemFailures: [] });

  const keys = (await readReviews()).filter(({ v }) => v === '#pending').map(({ k }) => k);
  expect(keys).toEqual([expect.stringContaining('npm#b#')]);
});

it('takes the newest state of several records of a version, and reads one that it cannot parse', async () => {
  const version = await submitKnown('a');
  const records = [{ NewImage: submitted }, { OldImage: joined, NewImage: decided }];
  await indexVersions(
    { Records: records.map((images, at) => recordOf(version, `${at}`, images)) },
    deadline,
  );
  expect(await readRows()).not.toHaveProperty('#pending');

  await indexVersions({ Records: [recordOf(version, '3', {})] }, deadline);

  expect(await readRows()).toHaveProperty('#pending');
});

it.each([
  ['what became known', { OldImage: image(1, 1), NewImage: image(2, 1) }],
  ['a decision', { OldImage: image(1, 1), NewImage: image(1, 2) }],
  ['a head that came back', { NewImage: image(1, 1) }],
  ['a head that came back, of which no scan is told', { NewImage: image(1, 1, { sources: [] }) }],
  ['what cannot be read', { OldImage: {}, NewImage: {} }],
])('lists a version after %s', async (_, images) => {
  const Records = [recordOf(await scanned('a'), '1', images)];

  await indexVersions({ Records }, deadline);

  expect(await listedNames()).toEqual(['a']);
});

it('lists a version of Maven under the POMs that it leans on, also where its findings cannot be read', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const lib = maven('lib');
  await publish(lib, { parents: [makePom('org.acme:parent:7')] });
  const version = await scanKnown({ ...lib, status: 'approved', has: [] }, [found]);
  await damage(version);

  await expect(indexVersions({ Records: [recordOf(version, '1')] }, deadline)).rejects.toThrow();

  expect(await readPomRows()).toMatchObject([{ v: '#pom#org.acme:parent:7' }]);
});

it('costs no version of another ecosystem anything for that', async () => {
  const version = await scanned('a');
  const deliver = () => indexVersions({ Records: [recordOf(version, '1')] }, deadline);
  await deliver();

  expect((await measure(deliver)).calls).toBe(1);
});

it('leaves what it has no time for to come again', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const Records = [recordOf(await scanned('a'), '1')];

  await expect(indexVersions({ Records }, { remainingMs: () => 5_000 })).rejects.toThrow(
    '1 of 1 versions could not be listed',
  );
  expect(await listedNames()).toEqual([]);
});

it('lists one that has very many ids so far, and those behind it in its shard all the same', async () => {
  const has = Array.from({ length: 5 * mostIdsAtOnce }, (_, at) => ({
    ...found,
    id: `CVE-2025-${at}`,
  }));
  const worst = { ...found, id: 'CVE-2025-worst', severity: 'critical' as const };
  const large = await scanKnown(await submitKnown('large'), [...has, worst]);
  const behind = await scanned('behind');
  const deliver = (...versions: readonly KnownVersion[]) =>
    measure(() =>
      indexVersions(
        { Records: versions.map((version, at) => recordOf(version, `${at}`)) },
        deadline,
      ),
    );

  const first = await deliver(large);
  const next = await deliver(large, behind);

  const keys = (await readReviews()).filter(({ v }) => `${v}`.startsWith('#vuln#CVE-2025-'));
  expect(keys.filter(({ k }) => k === toVersionKey(large))).toHaveLength(mostIdsAtOnce);
  expect(await listAffected(worst.id, { count: 10 })).toHaveLength(1);
  expect(first.result).toEqual({ batchItemFailures: [] });
  // To read of 40 what stands there, and to write one, and some calls of the claim.
  expect(first.calls).toBeLessThan(mostIdsAtOnce * (1 + 1 / 40) + 30);
  expect(next.result).toEqual({ batchItemFailures: [] });
  expect(next.calls).toBeLessThan(15);
  expect(await listedNames()).toEqual(['behind']);
});
