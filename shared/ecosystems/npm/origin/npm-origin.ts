import type { CollectedFacts, CollectedRelease } from '../../../domain/facts/collected-facts.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { isObject, type JsonObject, readAt } from '../../../util/json.ts';
import { TooLargeError } from '../../../util/outbound-http/read-bounded.ts';
import { explainNonsense, type Origin, readJson } from '../../origin/origin-http.ts';
import {
  type AskFor,
  cleanTime,
  type FindFirst,
  refuseMissingName,
  refuseMissingVersion,
} from '../../origin/upstream-answer.ts';
import type { EarlierVersion } from './earlier-versions.ts';
import { type PackumentEntry, readPackument } from './packument.ts';
import { readNpmDetails } from './release-details.ts';
import { readNpmManifest, readVersion } from './version-facts.ts';

/** Maximum size of a packument. The largest have about 30 MB; parsing one takes 200 MB of memory for a second. */
const maxPackumentBytes = 32 * 1024 * 1024;
const maxVersionBytes = 4 * 1024 * 1024;

const full = 'application/json';
const abbreviated = 'application/vnd.npm.install-v1+json, application/json;q=0.8';

/** Returns the name with an encoded slash, such as `@types%2fnode`, as npm requests it. */
const toPath = (name: string): string => name.replace('/', '%2f');

const askPackument = (
  { ask, host, oneAtATime }: Origin,
  id: PackageId,
  accept: string,
): Promise<PackumentEntry | undefined> =>
  oneAtATime(async () => {
    const path = toPath(id.name);
    const answer = await ask({ path, accept, maxBytes: maxPackumentBytes });
    if (!answer) return undefined;
    const entry = readPackument(readJson(host, answer), id);
    if (!entry) throw explainNonsense(host, answer);
    return entry;
  });

/** Returns the version document; undefined if it is missing. Some upstreams have no version documents. */
const askVersion = async (
  { ask, host }: Origin,
  { name, version }: PackageId,
): Promise<JsonObject | undefined> => {
  const path = `${toPath(name)}/${encodeURIComponent(version)}`;
  const answer = await ask({ path, accept: full, maxBytes: maxVersionBytes });
  if (!answer) return undefined;
  const document = readJson(host, answer);
  if (!isObject(document) || document['name'] !== name) throw explainNonsense(host, answer);
  return document;
};

/**
 * Returns the entry from the version document and the abbreviated packument, if the full packument is too large.
 * npm's abbreviated packuments have no publication times.
 * @throws {TooLargeError} if both packuments are too large and there is no version document
 */
const askInParts = async (
  origin: Origin,
  id: PackageId,
  tooLarge: TooLargeError,
): Promise<PackumentEntry | undefined> => {
  const version = await askVersion(origin, id);
  const around = await askPackument(origin, id, abbreviated).catch((error: unknown) => {
    if (!(error instanceof TooLargeError)) throw error;
    if (!version) throw tooLarge;
    return undefined;
  });
  if (!version) return around;
  return {
    version,
    publishedAt: around?.publishedAt,
    isUnpublished: false,
    newestVersion: around?.newestVersion,
    time: around?.time,
    package: {},
    earlier: undefined,
  };
};

const askEntry = async (origin: Origin, id: PackageId): Promise<PackumentEntry | undefined> => {
  try {
    return await askPackument(origin, id, full);
  } catch (error) {
    if (error instanceof TooLargeError) return askInParts(origin, id, error);
    throw error;
  }
};

const refuseMissing = (
  host: string,
  { name, version }: PackageId,
  entry: PackumentEntry,
): CollectedFacts => {
  const lack = `${host} has ${name}, but not ${version}`;
  const reason = entry.isUnpublished ? `${lack}: it was unpublished` : lack;
  return refuseMissingVersion('npm', reason, entry.newestVersion);
};

type ReleaseEntry = Pick<PackumentEntry, 'package' | 'publishedAt' | 'newestVersion' | 'time'>;

const readRelease = (version: JsonObject, entry: ReleaseEntry): CollectedRelease => {
  const facts = readVersion(version, entry);
  return {
    facts,
    manifest: readNpmManifest(version),
    details: readNpmDetails(version, { ...entry, facts }),
  };
};

/** Returns an earlier version of the same packument. Versions before that one are not compared. */
const readEarlier = (
  { number, version, publishedAt }: EarlierVersion,
  entry: PackumentEntry,
): NonNullable<CollectedRelease['earlier']> => ({
  version: number,
  ...readRelease(version, { ...entry, publishedAt, time: undefined }),
});

/** Fetches the facts of a version from an npm registry, or from a mirror that has only packuments of either format. */
export const fetchNpmFacts: AskFor = async (origin, id) => {
  const entry = await askEntry(origin, id);
  if (!entry) return refuseMissingName(`${origin.host} has no package ${id.name}`);
  if (!entry.version) return refuseMissing(origin.host, id, entry);
  const { nearest, publications } = entry.earlier ?? {};
  return {
    ...readRelease(entry.version, entry),
    ...(nearest && { earlier: readEarlier(nearest, entry) }),
    ...(publications && { publications }),
  };
};

/**
 * Returns when the first version of an npm package was published; null if that is unknown. Some mirrors have only the times of
 * versions.
 */
export const findFirstNpmPublication: FindFirst = ({ ask, host, oneAtATime }, name) =>
  oneAtATime(async () => {
    const answer = await ask({ path: toPath(name), accept: full, maxBytes: maxPackumentBytes });
    const time = answer && readAt(readJson(host, answer), 'time');
    if (!isObject(time)) return null;
    const times = Object.values(time).flatMap((one) => cleanTime(one) ?? []);
    return cleanTime(time['created']) ?? times.toSorted()[0] ?? null;
  });
