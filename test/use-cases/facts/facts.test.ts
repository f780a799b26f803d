import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Facts, noFacts } from '../../../shared/domain/facts/facts.ts';
import type { CheckedProvenance } from '../../../shared/domain/facts/provenance.ts';
import type { ReleaseDetails } from '../../../shared/domain/facts/release-details.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { transact } from '../../../shared/storage/dynamodb/transact.ts';
import { listAttention } from '../../../shared/storage/reviews/attention.ts';
import { listDueRefreshes } from '../../../shared/storage/reviews/due-refreshes.ts';
import { findRecord, maxManifestBytes } from '../../../shared/storage/reviews/facts-items.ts';
import { findReleaseDetails } from '../../../shared/storage/reviews/release-details-items.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import {
  applyEvidence,
  EvidenceChangedError,
  scheduleRefresh,
} from '../../../shared/storage/reviews/review-state-writes.ts';
import { collectFacts } from '../../../shared/use-cases/facts/collect-facts.ts';
import { refreshFacts } from '../../../shared/use-cases/facts/refresh-facts.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { checked } from '../../support/checked-provenance.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import {
  enoughTime,
  inMinutes,
  npm,
  readRecords,
  scan,
} from '../vulnerability-index/accepted-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const id = npm('left-pad');
const hourMs = 60 * 60_000;

const facts = (some: Partial<Facts> = {}): Facts => ({
  ...noFacts,
  found: 'yes',
  name_found: true,
  reason: null,
  license: 'MIT',
  licenses_declared: ['MIT'],
  published_at: '2020-01-01T00:00:00.000Z',
  newest_version: '1.0.0',
  ...some,
});

const keep = (
  some: Partial<Facts> = {},
  manifest: object | null = null,
  {
    now = new Date(),
    passing = false,
    retryAfterMs = null,
    details,
    provenance,
  }: {
    now?: Date;
    passing?: boolean;
    retryAfterMs?: number | null;
    details?: ReleaseDetails;
    provenance?: CheckedProvenance;
  } = {},
) =>
  saveFacts(
    id,
    {
      facts: facts(some),
      manifest: manifest && { kind: 'npm', version: { ...manifest } },
      passing,
      retryAfterMs,
      ...(details && { details }),
      ...(provenance && { provenance }),
    },
    { now, policy: defaultScanPolicy, everyHours: 168, deadline: enoughTime },
  );

const submit = () => submitPackage({ ...id }, writeContext());

const decide = (to: 'approved' | 'rejected', reason = 'looked at') =>
  decidePackage(id, { to, by: 'ann', reason, override: true }, writeContext());

const far = new Date(Date.now() + 10_000 * hourMs).toISOString();

/** Has those asked again whose time has come; resolves to how many. */
const ask = (now: Date) => refreshFacts({ now, send: async () => undefined });

/** When a row says that origins are asked, of which there is always one. */
const listAsked = async (): Promise<string[]> =>
  (await listDueRefreshes('npm', { until: far }, 10)).due.map(({ refresh_at }) => refresh_at);

describe('what an origin says', () => {
  beforeEach(submit);

  it('stands in the head in short and beside it in full', async () => {
    await keep({ deprecated: 'use b' }, { name: 'left-pad', dist: {} });

    const head = await readReviewState(id);
    expect(head).toMatchObject({
      evidence_revision: 1,
      facts: { found: 'yes', license: 'MIT', deprecated: 'use b', install_scripts: null },
    });
    const record = await findRecord(id, head.facts?.digest ?? '');
    expect(record?.facts).toEqual(facts({ deprecated: 'use b' }));
  });

  it('is no news where it says the same, whatever is the newest version', async () => {
    await keep();
    const before = await readReviewState(id);

    const { calls, writeUnits } = await measure(() => keep({ newest_version: '9.9.9' }));

    const after = await readReviewState(id);
    expect(after.evidence_revision).toBe(before.evidence_revision);
    expect(after.facts?.digest).toBe(before.facts?.digest);
    expect(after.facts?.newest_version).toBe('9.9.9');
    // The review state, five reads for comparisons with an earlier version and other names, and its update, which moves an index row.
    expect([calls, writeUnits]).toEqual([6, 3]);
  });

  it('is kept beside what it said before, by which a decision was made', async () => {
    await keep();
    const first = (await readReviewState(id)).facts?.digest ?? '';
    await keep({ license: 'Apache-2.0' });

    const second = (await readReviewState(id)).facts?.digest ?? '';
    expect(second).not.toBe(first);
    expect((await findRecord(id, first))?.facts.license).toBe('MIT');
    expect((await findRecord(id, second))?.facts.license).toBe('Apache-2.0');
  });

  it('is taken back by nothing that an origin fails to say', async () => {
    await keep();
    await keep({ ...noFacts, found: 'unknown', reason: 'it takes too long' });

    expect((await readReviewState(id)).facts?.found).toBe('yes');
  });

  it('is known as not to be had, until it is', async () => {
    await keep({ ...noFacts, found: 'unknown', reason: 'it takes too long' });
    const unknown = await readReviewState(id);
    await keep();

    expect(unknown.facts?.found).toBe('unknown');
    expect(await readReviewState(id)).toMatchObject({
      evidence_revision: 2,
      facts: { found: 'yes' },
    });
  });

  it('has details beside it, which change no facts and no pin', async () => {
    const manifest = { dist: { shasum: 'a'.repeat(40) } };
    const kind = { kind: 'npm', version: manifest } as const;
    await keep({}, manifest);
    await decide('approved');
    const before = await readReviewState(id);

    const details = { described: true, publisher: 'ann' };
    const first = await measure(() => keep({}, manifest, { details }));
    const again = await measure(() => keep({}, manifest, { details }));

    const after = await readReviewState(id);
    expect(await findReleaseDetails(id, kind)).toEqual(details);
    expect(after.facts?.digest).toBe(before.facts?.digest);
    expect(after.facts?.content_changed).toBeUndefined();
    expect([after.pinned, after.evidence_revision]).toEqual([
      before.pinned,
      before.evidence_revision,
    ]);
    // Details that are stored already cost one read. Others make the update a transaction.
    expect([first.writeUnits - again.writeUnits, again.calls]).toEqual([3, 3]);
  });

  it('keeps its details if only the facts change, and has none of other files', async () => {
    const details = { described: true, publisher: 'ann' };
    await keep({}, { dist: { shasum: 'a'.repeat(40) } }, { details });
    await keep({ deprecated: 'old' }, { dist: { shasum: 'a'.repeat(40) } });

    const find = (letter: string) =>
      findReleaseDetails(id, {
        kind: 'npm',
        version: { dist: { shasum: letter.repeat(40) } },
      });
    expect(await find('a')).toEqual(details);
    expect(await find('b')).toBeUndefined();
  });

  it('has no details that are too long, or without hashes', async () => {
    const random = () => Math.random().toString(36);
    const maintainers = Array.from({ length: 3_000 }, random);
    const dist = { shasum: 'a'.repeat(40) };
    await keep({}, { dist }, { details: { described: true, maintainers } });
    await keep({ license: 'ISC' }, { dist: {} }, { details: { described: true } });

    expect(await findReleaseDetails(id, { kind: 'npm', version: { dist } })).toBeUndefined();
    expect(await findReleaseDetails(id, { kind: 'npm', version: { dist: {} } })).toBeUndefined();
    expect((await readReviewState(id)).facts?.license).toBe('ISC');
  });

  it('is kept without a record that is too long', async () => {
    const noise = Array.from({ length: 40_000 }, () => Math.random().toString(36).slice(2));
    expect(JSON.stringify(noise).length).toBeGreaterThan(maxManifestBytes);

    await keep({}, { noise });

    expect((await readReviewState(id)).facts?.found).toBe('yes');
  });

  it('is in the record of the decision that stood on it', async () => {
    await keep({ yanked: 'broken' });
    await decide('approved');

    const [record] = await readRecords('package.approved');
    const { facts: known } = await readReviewState(id);
    expect(record?.evidence?.facts).toEqual(known);
  });
});

/** Collects as the schedule does; returns the number of requests to the origin. */
const collectScheduled = async (message: object): Promise<number> => {
  let requests = 0;
  const ask = async () => {
    requests += 1;
    return { facts: facts(), manifest: null };
  };
  const event = { Records: [{ messageId: '1', body: JSON.stringify(message) }] };
  await collectFacts(event, {
    ask,
    fetchPackageList: async () => ({ outcome: 'unlisted', reason: 'No version is listed' }),
    findFirstPublication: async () => null,
    checkProvenance: async () => undefined,
    followUp: async () => undefined,
    policy: defaultScanPolicy,
    everyHours: 168,
    watchesRemovals: false,
    deadline: enoughTime,
  });
  return requests;
};

describe('when an origin is asked again', () => {
  beforeEach(submit);

  it.each([
    ['yes', 168, false],
    ['no', 24, false],
    ['unknown', 24, false],
  ] as const)('follows from its answer: %s, after %i hours', async (found, hours, passing) => {
    const now = new Date();
    await keep({ found }, null, { now, passing });

    const expected = new Date(now.getTime() + hours * hourMs).toISOString();
    expect(await listAsked()).toEqual([expected]);
    expect((await readReviewState(id)).refresh_at).toBe(expected);
  });

  const minuteMs = 60_000;

  /** Fails to ask the origin as often, each time when it is to be asked; returns the pauses in minutes. */
  const failToAsk = async (times: number, from = new Date()): Promise<number[]> => {
    let now = from;
    const pauses: number[] = [];
    for (let failure = 0; failure < times; failure += 1) {
      await keep({ ...noFacts, found: 'unknown', reason: 'it is away' }, null, {
        now,
        passing: true,
      });
      const [next = ''] = await listAsked();
      pauses.push((Date.parse(next) - now.getTime()) / minuteMs);
      now = new Date(next);
    }
    return pauses;
  };

  const expectPauses = (pauses: readonly number[], expected: readonly number[]): void => {
    expect(pauses).toHaveLength(expected.length);
    for (const [at, minutes] of expected.entries()) {
      expect(pauses[at]).toBeGreaterThanOrEqual(minutes);
      expect(pauses[at]).toBeLessThanOrEqual(minutes * 1.25);
    }
  };

  it('is after a minute where it could not be asked, then after twice as long, up to an hour', async () => {
    expectPauses(await failToAsk(9), [1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('is after a day where it could not be asked thirty times', async () => {
    const pauses = await failToAsk(31);

    expectPauses(pauses.slice(29), [60, 24 * 60]);
  });

  it('is after a minute again once the origin has answered meanwhile', async () => {
    await failToAsk(4);
    await keep();

    expectPauses(await failToAsk(2), [1, 2]);
    expect((await readReviewState(id)).facts?.found).toBe('yes');
  });

  it('is no sooner than the origin asks for', async () => {
    const now = new Date();
    const retryAfterMs = 20 * minuteMs;
    await keep({ found: 'unknown' }, null, { now, passing: true, retryAfterMs });

    const [next = ''] = await listAsked();
    expectPauses([(Date.parse(next) - now.getTime()) / minuteMs], [20]);
  });

  it('is within minutes where nobody was told of the submission', async () => {
    const [first = ''] = await listAsked();

    const ms = Date.parse(first) - Date.now();
    expect(ms).toBeGreaterThan(13 * 60_000);
    expect(ms).toBeLessThan(16 * 60_000);
  });

  it('is never for what is rejected, and at once after another approval', async () => {
    await keep();
    await decide('rejected');
    const [due_at = ''] = await listAsked();
    const requests = await collectScheduled({ ...id, due_at });

    expect(requests).toBe(0);
    expect(await listAsked()).toEqual([]);
    await decide('approved');
    const [next = ''] = await listAsked();
    expect(Math.abs(Date.parse(next) - Date.now())).toBeLessThan(60_000);
  });
});

describe('provenance', () => {
  beforeEach(submit);

  const found = async () => (await readReviewState(id)).facts?.provenance;

  it('is news of the evidence, but not of the metadata', async () => {
    await keep();
    const before = await readReviewState(id);

    await keep({}, null, { provenance: checked() });

    const after = await readReviewState(id);
    expect(after.facts?.provenance).toEqual(checked());
    expect(after.facts?.digest).toBe(before.facts?.digest);
    expect(after.evidence_revision).toBe(before.evidence_revision + 1);
  });

  it('is no news if it is the same', async () => {
    await keep({}, null, { provenance: checked() });
    const before = await readReviewState(id);

    await keep({}, null, { provenance: checked() });

    const after = await readReviewState(id);
    expect(after.evidence_revision).toBe(before.evidence_revision);
    expect(after.facts?.provenance).toEqual(checked());
  });

  it('moves no pin, and is no other content', async () => {
    const manifest = { name: 'left-pad', dist: { integrity: 'sha512-AAAA' } };
    await keep({}, manifest);
    await decide('approved');
    const before = await readReviewState(id);

    await keep({}, manifest, { provenance: checked({ status: 'invalid' }) });

    const after = await readReviewState(id);
    expect(after.pinned).toBe(before.pinned);
    expect(after.facts?.content_changed).toBeUndefined();
    expect(after.facts?.provenance?.status).toBe('invalid');
  });

  it('stays known of a version that upstream removed, or while the origin is away', async () => {
    await keep({}, null, { provenance: checked() });
    await keep({ ...noFacts, found: 'unknown', reason: 'away' }, null, { passing: true });
    expect(await found()).toEqual(checked());

    await keep({ ...noFacts, found: 'no', reason: 'gone', name_found: true });

    expect(await found()).toEqual(checked());
  });

  it('is unknown again for other metadata whose provenance is unknown', async () => {
    await keep({}, null, { provenance: checked() });

    await keep({ license: 'ISC' });

    expect(await found()).toBeUndefined();
  });
});

describe('an origin that is away', () => {
  const names = Array.from({ length: 25 }, (_, at) => `waiting-${at}`);
  const noAnswer = { ...noFacts, found: 'unknown', reason: 'it is away' } as const;

  const toEvent = (some: readonly object[]) => ({
    Records: some.map((body, at) => ({ messageId: String(at), body: JSON.stringify(body) })),
  });

  /** Asks about some versions as the worker does, of an origin that is away or has them all. */
  const collect = (some: readonly object[], isAway: boolean) =>
    collectFacts(toEvent(some), {
      ask: async () =>
        isAway
          ? { facts: noAnswer, manifest: null, passing: true }
          : { facts: facts(), manifest: null },
      fetchPackageList: async () => ({ outcome: 'unlisted', reason: 'No version is listed' }),
      findFirstPublication: async () => null,
      checkProvenance: async () => undefined,
      followUp: async () => undefined,
      policy: defaultScanPolicy,
      everyHours: 168,
      watchesRemovals: false,
      deadline: enoughTime,
    });

  /** Has the clock go by, and the worker ask about what it put into the queue; returns what that was. */
  const goBy = async (now: Date, isAway: boolean): Promise<string[]> => {
    const sent: string[] = [];
    const send = async (bodies: readonly string[]) => sent.push(...bodies);
    await refreshFacts({ now, send });
    if (sent.length > 0)
      await collect(
        sent.map((body) => JSON.parse(body)),
        isAway,
      );
    return sent;
  };

  beforeEach(async () => {
    for (const name of names) await submitPackage(npm(name), writeContext());
    await submitPackage({ ...npm('other'), ecosystem: 'pypi' }, writeContext());
  });

  it('is asked about ten versions a minute, and about all of them once it answers one', async () => {
    await collect([npm('waiting-0')], true);

    const away = await goBy(inMinutes(600), true);
    const back = await goBy(inMinutes(1200), false);
    const after = await goBy(inMinutes(1201), false);

    expect(away.filter((body) => body.includes('npm'))).toHaveLength(10);
    expect(back.filter((body) => body.includes('npm'))).toHaveLength(10);
    expect(after).toHaveLength(15);
    expect((await readReviewState(npm('waiting-24'))).facts?.found).toBe('yes');
  });

  it('holds up no version of another origin', async () => {
    await collect([npm('waiting-0')], true);

    expect((await goBy(inMinutes(600), true)).filter((body) => body.includes('pypi'))).toHaveLength(
      1,
    );
  });

  it('leaves what waits as it is, at no cost', async () => {
    await collect([npm('waiting-0')], true);

    const { writeUnits } = await measure(() => ask(inMinutes(600)));

    // How far the schedule has sent what is due, for npm and for PyPI.
    expect(writeUnits).toBe(2);
  });

  it('counts as back where one of several versions is answered', async () => {
    await collect([npm('waiting-0')], true);
    await collect([npm('waiting-1')], false);

    // All but the one that was answered, and the one of PyPI.
    expect(await ask(inMinutes(600))).toBe(names.length);
  });
});

describe('an approved version', () => {
  beforeEach(submit);

  const needs = async () => (await listAttention({ limit: 10 }, new Date())).attention;

  it('needs attention from the moment at which its publisher takes it back', async () => {
    await keep();
    await decide('approved');
    await keep({ yanked: 'leaks keys' });

    expect(await needs()).toMatchObject([{ name: 'left-pad', reasons: ['yanked'] }]);
    const [record] = await readRecords('package.attention');
    expect(record?.reason).toBe('Its publisher yanked it: leaks keys');
  });

  it('needs none for what was known when it was approved', async () => {
    await keep({ deprecated: 'use b' });
    await decide('approved');
    await keep({ deprecated: 'use c' });

    expect(await needs()).toEqual([]);
  });

  it('needs none any more once somebody has decided on it again, or its publisher on the version', async () => {
    await keep();
    await decide('approved');
    await keep({ deprecated: '' });
    const before = await needs();
    await keep();
    const restored = await needs();
    await keep({ deprecated: '' });
    await decide('rejected');

    expect(before).toMatchObject([{ reasons: ['deprecated'] }]);
    expect(restored).toEqual([]);
    expect(await needs()).toEqual([]);
  });
});

describe('a scan and the clock at the same moment', () => {
  beforeEach(submit);

  it('leave a version with the one row that its head names', async () => {
    await keep();
    const now = new Date(Date.now() + 169 * hourMs);
    const find = (vulnerability: string) => scan(id, [{ id: vulnerability }], 'trivy');

    await Promise.all([ask(now), find('CVE-2026-1'), find('CVE-2026-2')]);

    expect(await listAsked()).toEqual([(await readReviewState(id)).refresh_at]);
  });

  it('cannot take back when an origin is asked', async () => {
    await keep();
    const seen = await readReviewState(id);
    const later = inMinutes(60).toISOString();
    await transact([scheduleRefresh(id, seen, { refresh_at: later })], enoughTime);
    const {
      sources,
      counts,
      accepted,
      at,
      latest_scan_number,
      attention,
      facts: seenFacts,
      refresh_at,
    } = seen;
    const fields = { sources, counts, accepted, at, latest_scan_number, attention };

    const stale = transact(
      [applyEvidence(id, seen, fields, { facts: seenFacts, refresh_at })],
      enoughTime,
    );

    await expect(stale).rejects.toThrow(EvidenceChangedError);
    await transact([applyEvidence(id, seen, fields)], enoughTime);
    expect((await readReviewState(id)).refresh_at).toBe(later);
  });
});
