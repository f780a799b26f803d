/** A package of an origin over HTTP, whose approved versions the registry refreshes together. */
import type { ServerResponse } from 'node:http';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import {
  formatSequenceNumber,
  toIndexKeys,
  toItemKey,
} from '../../../shared/storage/packages/version-keys.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { listDueRefreshes } from '../../../shared/storage/reviews/due-refreshes.ts';
import {
  type ReviewState,
  readReviewState,
  toReviewStateKey,
} from '../../../shared/storage/reviews/review-state.ts';
import { collectFacts } from '../../../shared/use-cases/facts/collect-facts.ts';
import type { FactsCollection } from '../../../shared/use-cases/facts/facts-collection.ts';
import { refreshFacts } from '../../../shared/use-cases/facts/refresh-facts.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { digest } from '../../../shared/util/digest.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { put } from '../../storage/integrity/reviewed-registry.ts';
import { askServer, type OriginServer } from '../../support/origin-server.ts';

export const name = 'left-pad';
export const toId = (at: number): PackageId => ({ ecosystem: 'npm', name, version: `1.${at}.0` });

/** Fields of a version upstream, by its number. */
export type Published = Map<string, object>;

export const publish = (count: number): Published =>
  new Map(
    Array.from({ length: count }, (_, at) => {
      const { version } = toId(at);
      const dist = { tarball: `https://example.com/${version}.tgz`, shasum: 'a'.repeat(40) };
      return [version, { name, version, license: 'MIT', description: 'Pads', dist }];
    }),
  );

const toPackument = (published: Published) => ({
  name,
  'dist-tags': { latest: [...published.keys()].at(-1) },
  versions: Object.fromEntries(published),
  time: Object.fromEntries([...published.keys()].map((one) => [one, '2020-01-01T00:00:00.000Z'])),
});

/** Answers like an origin with an `ETag`, or without one. */
export const servePackage = (
  origin: OriginServer,
  published: Published,
  { hasEtag = true, onUnchanged = () => {} }: { hasEtag?: boolean; onUnchanged?: () => void } = {},
): void => {
  const act = (response: ServerResponse) => {
    const body = JSON.stringify(toPackument(published));
    const etag = `"${digest(body)}"`;
    const headers = { 'Content-Type': 'application/json', ...(hasEtag && { ETag: etag }) };
    if (hasEtag && response.req.headers['if-none-match'] === etag) {
      onUnchanged();
      response.writeHead(304, headers).end();
    } else response.writeHead(200, headers).end(body);
  };
  origin.serve(`/${name}`, { act });
};

const minutes = (count: number): number => count * 60_000;

/** Collects as the queue's worker does. */
export const collect = (
  origin: OriginServer,
  messages: readonly object[],
  settings: Partial<FactsCollection> = {},
) => {
  const client = askServer(origin, { deadlineMs: 1_000 });
  const Records = messages.map((body, at) => ({
    messageId: String(at),
    body: JSON.stringify(body),
  }));
  return collectFacts(
    { Records },
    {
      ask: client.collectFacts,
      fetchPackageList: client.fetchPackageList,
      findFirstPublication: client.findFirstPublication,
      checkProvenance: async () => undefined,
      followUp: async () => undefined,
      policy: defaultScanPolicy,
      everyHours: 168,
      watchesRemovals: true,
      deadline: { remainingMs: () => minutes(2) },
      ...settings,
    },
  );
};

/** Returns what the schedule sends to the queue within a time. */
export const listScheduled = async (inMinutes = 0): Promise<object[]> => {
  const sent: object[] = [];
  const send = async (bodies: readonly string[]) => {
    sent.push(...bodies.map((body): object => JSON.parse(body)));
  };
  await refreshFacts({ now: new Date(Date.now() + minutes(inMinutes)), send });
  return sent;
};

/** Returns the names of what the schedule has, whenever it is due: a package, or `version` of one. */
export const listSchedule = async (): Promise<string[]> => {
  const { due } = await listDueRefreshes('npm', { until: '2999-01-01T00:00:00.000Z' }, 1_000);
  return due.map(({ version = 'package' }) => version).toSorted();
};

/** Puts more approved versions with metadata, as copies of the first one. */
export const putCopies = async (from: number, to: number): Promise<void> => {
  const item = await findVersion(toId(0));
  const head = await readReviewState(toId(0));
  if (!item) throw new Error('The first version is missing');
  for (let at = from; at < to; at += 1) {
    const id = toId(at);
    const sequence = formatSequenceNumber(1_000 + at);
    const keys = { ...toItemKey(id), ...toIndexKeys({ ...item, sequence }) };
    await put('packages', { ...item, ...id, ...keys, sequence });
    await put('reviews', { ...head, ...toReviewStateKey(id) });
  }
};

/** Fills the registry with approved versions, each of which was collected alone before. */
export const fillPackage = async (origin: OriginServer, published: Published): Promise<void> => {
  const first = toId(0);
  await submitPackage(first, writeContext());
  await collect(origin, [first]);
  const decision = { to: 'approved', by: 'ann', reason: 'Looked at', override: true } as const;
  await decidePackage(first, decision, writeContext());
  await putCopies(1, published.size);
  await joinAll(origin, published.size);
};

/** Collects versions that are due alone. Afterwards, their package refreshes them. */
export const joinAll = async (origin: OriginServer, count: number): Promise<void> => {
  const heads = await Promise.all(
    Array.from({ length: count }, (_, at) => readReviewState(toId(at))),
  );
  const due = heads.flatMap(({ refresh_at }, at) =>
    refresh_at === undefined ? [] : [{ ...toId(at), due_at: refresh_at }],
  );
  await collect(origin, due);
};

export const findHead = (at: number): Promise<ReviewState> => readReviewState(toId(at));
