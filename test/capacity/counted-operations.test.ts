import { sign } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { settingVariables } from '../../shared/api/resources.ts';
import { IntegrityReport } from '../../shared/api/schemas/integrity.ts';
import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { parseSearchTerm } from '../../shared/domain/packages/search.ts';
import { serveMaven } from '../../shared/ecosystems/maven/gate/serve-maven.ts';
import { serveNpm } from '../../shared/ecosystems/npm/gate/serve-npm.ts';
import { servePypi } from '../../shared/ecosystems/pypi/gate/serve-pypi.ts';
import type { FeedPosition } from '../../shared/scanners/osv/feed-position.ts';
import { createCatalogue } from '../../shared/storage/catalogue/catalogue.ts';
import { oldestFirst } from '../../shared/storage/catalogue/order.ts';
import { listRecords } from '../../shared/storage/decisions/records.ts';
import { appendEvents } from '../../shared/storage/events/sequence.ts';
import { checkIntegrity } from '../../shared/storage/integrity/check-integrity.ts';
import { updatePack } from '../../shared/storage/packs/update-pack.ts';
import { findPackageRefresh } from '../../shared/storage/reviews/package-refresh.ts';
import { saveRescanState } from '../../shared/storage/scans/rescan-state.ts';
import {
  signDecision,
  toUnsignedDecision,
} from '../../shared/use-cases/attestations/sign-decision.ts';
import { indexVersions } from '../../shared/use-cases/catalogue/index-versions.ts';
import { refreshFacts } from '../../shared/use-cases/facts/refresh-facts.ts';
import { runAllRecalls } from '../../shared/use-cases/recalls/run-recalls.ts';
import { decidePackage } from '../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { rescan } from '../../shared/use-cases/scanning/rescan.ts';
import { scanVersions } from '../../shared/use-cases/scanning/scan-versions.ts';
import {
  type Cost,
  type CountedOperation,
  countedOperations,
} from '../bench/model/counted-operations.ts';
import { storeApproved, toVersion } from '../storage/packs/approved-packages.ts';
import { type Measurement, measure, type TestEngine } from '../support/engine.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import { openReviewStream } from '../support/review-stream.ts';
import {
  collect,
  fillPackage,
  name,
  publish,
  servePackage,
} from '../use-cases/facts/refreshed-package.ts';
import { declares, learn, scanItself } from '../use-cases/policy/policy-registry.ts';
import { ask, operations, setEnvironment } from './ask-operation.ts';
import { openRegistry } from './loaded-registry.ts';
import { scanContext, writeContext } from './write-context.ts';

/** The table of counted operations: an operation that becomes dearer or cheaper fails, and changes the prices of the model. */

// The list of tokens is no table, and these requests have no token.
vi.mock('../../shared/platform/auth/tokens.ts', () => ({
  tokens: { current: async () => undefined },
}));

// The signature is made by KMS, which is no table either.
vi.mock('../../shared/platform/signing/signing-key.ts', async () => {
  const { makeSigningPair } = await import('../support/attestations.ts');
  const { privateKey, key } = makeSigningPair();
  return {
    signBytes: async (bytes: Buffer) => sign('sha256', bytes, privateKey),
    getPublicKey: async () => key,
  };
});

const versions = 1000;
/** Versions that are written, for a mean. */
const written = 50;
const further = [...realisticPackages(versions + written)]
  .slice(versions)
  .map((one) => one.submission);
const stored = [...realisticPackages(versions)];
const approved = stored.filter(({ decision }) => decision?.to === 'approved');
const [first] = approved.map((one) => one.submission);
if (!first) throw new Error('There is no approved version');

const pickId = ({ ecosystem, name, version }: PackageId): PackageId => ({
  ecosystem,
  name,
  version,
});

/** Returns the cost of one of several measured pieces of work: means with one decimal. */
const meanOf = (measured: readonly Measurement[], pieces = measured.length): Cost => {
  const mean = (of: (one: Measurement) => number): number =>
    Math.round((10 * measured.reduce((sum, one) => sum + of(one), 0)) / pieces) / 10;
  return {
    calls: mean(({ calls }) => calls),
    readUnits: mean(({ readUnits }) => readUnits),
    writeUnits: mean(({ writeUnits }) => writeUnits),
  };
};

const now = new Date();
const list = createCatalogue();
const page = { order: oldestFirst, limit: 100, offset: 0 };
const lastPage = { ...page, offset: 855 };
const rareWord = 'kubernetes-admission';
const selected = { ecosystem: first.ecosystem, version: first.version };
const inName = { path: { name: first.name }, query: selected };
const approval = { to: 'approved', by: 'ana', reason: 'because' } as const;
const enoughTime = { remainingMs: () => 600_000 };

/** Packages that the gate lists. */
const packed = {
  npm: { ecosystem: 'npm', name: 'lib' },
  pypi: { ecosystem: 'pypi', name: 'lib' },
  maven: { ecosystem: 'maven', name: 'org.acme:lib' },
} as const;
const gate = () => ({
  base: 'https://gate.example.com/npm',
  files: { origin: 'https://registry.example.com', isSpread: false, places: [] },
  inquiries: { isScanning: true, isCollectingFacts: true },
  ...{ own: [], freeze: undefined, now: new Date(), passesPlugins: false },
});

let engine: TestEngine;
let origin: OriginServer;
let readStream: Awaited<ReturnType<typeof openReviewStream>>;
beforeAll(async () => {
  engine = await openRegistry(stored);
  setEnvironment();
  origin = await startOriginServer();
  readStream = await openReviewStream(engine);
});
afterAll(async () => {
  await origin.close();
  await engine.close();
});

const read = (query: Parameters<typeof list>[0]) => async () =>
  meanOf([await measure(() => list(query))]);

/** Measures the same work with each of the further versions. */
const measureEach = async (work: (one: (typeof further)[number]) => Promise<unknown>) => {
  const measured: Measurement[] = [];
  for (const one of further) measured.push(await measure(() => work(one)));
  return meanOf(measured);
};

/** Measures the index worker with the changes since the last call, for each of the further versions. */
const measureIndex = async () => {
  const Records = await readStream();
  const measured = await measure(() => indexVersions({ Records }, enoughTime));
  return meanOf([measured], further.length);
};

const measureOne = async (work: () => Promise<unknown>) => meanOf([await measure(work)]);

/** A feed of malware without changes since the last run. */
const quietFeed = {
  listChanges: async (_: unknown, position: FeedPosition | undefined) => ({
    changes: [],
    position: position ?? { etag: null, newest: null, floor: null, handled: [], pass: null },
    isComplete: true,
    skippedLines: 0,
  }),
  readRecord: async () => undefined,
};

/** All operations, in an order in which later ones find the data of earlier ones. A missing operation does not compile. */
const measured: Readonly<Record<CountedOperation, () => Promise<Cost>>> = {
  'list, first page of 100': read(page),
  'list, any page of 100': read(lastPage),
  'list, 100 versions in full': async () =>
    meanOf([
      await ask(operations.listPackages, {
        what: 'a page in full',
        query: { limit: '100', view: 'full' },
        status: 200,
      }),
    ]),
  'search for a rare word': read({ ...page, search: parseSearchTerm(rareWord) }),
  'one version': async () =>
    meanOf([await ask(operations.showPackage, { what: 'one', ...inName, status: 200 })]),
  'check of 100 versions': async () =>
    meanOf([
      await ask(operations.checkPackages, {
        what: '100 versions',
        body: { packages: stored.slice(0, 100).map(({ submission }) => pickId(submission)) },
        status: 200,
      }),
    ]),
  attention: async () =>
    meanOf([await ask(operations.listAttention, { what: 'none', status: 200 })]),
  submission: () => measureEach((one) => submitPackage(one, writeContext())),
  'index of a submission': measureIndex,
  'first scan': () => measureEach((one) => scanItself(undefined, one)),
  'first upstream metadata': () => measureEach((one) => learn(declares('MIT'), one)),
  'evidence of a version': async () =>
    meanOf([
      await ask(operations.showEvidence, {
        what: 'a version with a scan and metadata',
        path: { name: further[0]?.name ?? '' },
        query: { ecosystem: further[0]?.ecosystem ?? '', version: further[0]?.version ?? '' },
        status: 200,
      }),
    ]),
  'queue of reviews, 50 versions': async () =>
    meanOf([
      await ask(operations.listReviews, { what: '50', query: { limit: '50' }, status: 200 }),
    ]),
  approval: async () => {
    await measureIndex();
    return measureEach((one) => decidePackage(one, approval, writeContext()));
  },
  'index of an approval': measureIndex,
  'event of a decision': async () => {
    const records = await Promise.all(further.map((one) => listRecords(one, { count: 1 })));
    const fresh = records.flat().slice(0, 10);
    return meanOf([await measure(() => appendEvents(fresh, enoughTime))], fresh.length);
  },
  'rescan without news': async () => {
    const { policy } = scanContext();
    const osv = {
      scanVersions: async (ids: readonly PackageId[]) => ids.map((id) => ({ id, findings: [] })),
    };
    const scanned = further.map(pickId);
    const cost = await measure(() =>
      scanVersions(scanned, () => true, { osv, policy, deadline: enoughTime, isRound: true }),
    );
    return meanOf([cost], scanned.length);
  },
  'run of the rescan, nothing due': async () => {
    await saveRescanState({ began_at: now.toISOString(), after: null, skipped: [] });
    const scanning = { osv: { scanVersions: async () => [] }, ...scanContext() };
    const rules = { everyHours: 24, now };
    return measureOne(() => rescan(rules, { ...scanning, deadline: enoughTime }));
  },
  'run of due work, nothing due': async () => {
    process.env[settingVariables.collectFacts] = 'false';
    const { handler } = await import('../../functions/run-due-work.ts');
    const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
    // The first run has work: it compares all versions of the loaded registry.
    await handler({}, context);
    const due = await measure(() => handler({}, context));
    // The stored versions are due for a refresh, but were not at their submission.
    const longAgo = new Date(0);
    const refreshes = await measure(() => refreshFacts({ now: longAgo, send: async () => [] }));
    return meanOf([due, refreshes], 1);
  },
  'run of the recall, no news': async () => {
    const { catalogue, deadline } = writeContext();
    const context = {
      now,
      deadline,
      catalogue,
      scanPolicy: scanContext().policy,
      rescan: async () => undefined,
    };
    await runAllRecalls(quietFeed, context);
    return measureOne(() => runAllRecalls(quietFeed, context));
  },
  'integrity check of a version': async () => {
    const request = IntegrityReport.parse({ repair: false });
    const { layout } = writeContext().catalogue;
    const cost = await measure(() => checkIntegrity(request, layout, enoughTime));
    return meanOf([cost], versions + written);
  },
  'refresh of a package without news': async () => {
    const published = publish(4);
    servePackage(origin, published);
    await fillPackage(origin, published);
    const refresh = async () => {
      const row = await findPackageRefresh({ ecosystem: 'npm', name });
      const message = { ecosystem: 'npm', name, due_at: row?.refresh_at };
      return measureOne(() => collect(origin, [message]));
    };
    // The first one compares all versions.
    await refresh();
    return refresh();
  },
  'gate: npm document of 100 versions': async () => {
    await storeApproved(packed.npm, 100);
    await updatePack(packed.npm, { now });
    return measureOne(() => serveNpm('lib', gate()));
  },
  'gate: npm document, not modified': async () => {
    const { state } = Object(await serveNpm('lib', gate()));
    return measureOne(() => serveNpm('lib', { ...gate(), isKnown: (one) => one === state }));
  },
  'gate: npm file': () => measureOne(() => serveNpm(`lib/-/lib-${toVersion(1)}.tgz`, gate())),
  'gate: PyPI page of 100 versions': async () => {
    await storeApproved(packed.pypi, 100);
    await updatePack(packed.pypi, { now });
    return measureOne(() => servePypi('simple/lib/', gate()));
  },
  'gate: Maven file': async () => {
    await storeApproved(packed.maven, 1);
    await updatePack(packed.maven, { now });
    const version = toVersion(0);
    return measureOne(() => serveMaven(`org/acme/lib/${version}/lib-${version}.jar`, gate()));
  },
  'signature of a decision': async () => {
    const records = await Promise.all(further.map((one) => listRecords(one, { count: 1 })));
    const decided = records.flat().flatMap((record) => toUnsignedDecision(record) ?? []);
    const signed: Measurement[] = [];
    for (const one of decided) signed.push(await measure(() => signDecision(one)));
    return meanOf(signed, further.length);
  },
};

/** Versions are indexed in parallel: two of the same package sometimes share a write. */
const unsteady: readonly CountedOperation[] = ['index of an approval'];
const unsteadyUnits = 0.1;

it.each(Object.keys(countedOperations) as CountedOperation[])('%s', async (name) => {
  const { writeUnits, ...others } = await measured[name]();
  const { writeUnits: counted, ...expected } = countedOperations[name];
  const tolerance = unsteady.includes(name) ? unsteadyUnits : 0;

  expect(others).toEqual(expected);
  expect(Math.abs(writeUnits - counted)).toBeLessThanOrEqual(tolerance + 0.001);
});
