import type { CollectedFacts, CollectedRelease } from '../../../domain/facts/collected-facts.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { isObject, type JsonObject } from '../../../util/json.ts';
import { TooLargeError } from '../../../util/outbound-http/read-bounded.ts';
import {
  explainNonsense,
  type Origin,
  type OriginAnswer,
  readJson,
} from '../../origin/origin-http.ts';
import { type AskPackageList, isKnownAnswer, toValidator } from '../../origin/package-list.ts';
import type { ListReleases } from '../../origin/releases.ts';
import {
  type AskFor,
  refuseMissingName,
  refuseMissingVersion,
} from '../../origin/upstream-answer.ts';
import type { EarlierVersion } from './earlier-versions.ts';
import { digestNpmRelease, readNpmList } from './package-list.ts';
import { type PackumentEntry, readPackument, splitPackument } from './packument.ts';
import { type ReleaseEntry, readRelease } from './release.ts';
import { readPackageReleases } from './releases.ts';

/** Maximum size of a packument. The largest have about 30 MB; parsing one takes 200 MB of memory for a second. */
const maxPackumentBytes = 32 * 1024 * 1024;
const maxVersionBytes = 4 * 1024 * 1024;

const full = 'application/json';
const abbreviated = 'application/vnd.npm.install-v1+json, application/json;q=0.8';

/** Returns the name with an encoded slash, such as `@types%2fnode`, as npm requests it. */
const toPath = (name: string): string => name.replace('/', '%2f');

interface PackumentRequest {
  readonly name: string;
  readonly accept: string;
  /** `ETag` of an earlier packument. */
  readonly etag?: string | undefined;
}

/** Fetches a packument, and returns what `read` finds in the answer; undefined if the name is unknown. */
const askPackumentAnswer = <T>(
  { ask, host, oneAtATime }: Origin,
  { name, accept, etag }: PackumentRequest,
  read: (answer: OriginAnswer) => T | undefined,
): Promise<T | undefined> =>
  oneAtATime(async () => {
    const answer = await ask({ path: toPath(name), accept, maxBytes: maxPackumentBytes, etag });
    if (!answer) return undefined;
    const found = read(answer);
    if (found === undefined) throw explainNonsense(host, answer);
    return found;
  });

/** Fetches a packument, and returns what `read` finds in it; undefined if the name is unknown. */
const askPackument = <T>(
  origin: Origin,
  request: PackumentRequest,
  read: (document: unknown) => T | undefined,
): Promise<T | undefined> =>
  askPackumentAnswer(origin, request, (answer) => read(readJson(origin.host, answer)));

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
  const request = { name: id.name, accept: abbreviated };
  const read = (document: unknown) => readPackument(document, id);
  const around = await askPackument(origin, request, read).catch((error: unknown) => {
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
    releases: around?.releases,
  };
};

const askEntry = async (origin: Origin, id: PackageId): Promise<PackumentEntry | undefined> => {
  try {
    return await askPackument(origin, { name: id.name, accept: full }, (document) =>
      readPackument(document, id),
    );
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

/** Returns an earlier version of the same packument. Versions before that one are not compared. */
const readEarlier = (
  { number, version, publishedAt }: EarlierVersion,
  entry: ReleaseEntry,
): NonNullable<CollectedRelease['earlier']> => ({
  version: number,
  ...readRelease(version, { ...entry, publishedAt, time: undefined }),
});

/** Fetches the facts of a version from an npm registry, or from a mirror that has only packuments of either format. */
export const fetchNpmFacts: AskFor = async (origin, id) => {
  const entry = await askEntry(origin, id);
  if (!entry) return refuseMissingName(`${origin.host} has no package ${id.name}`);
  const listed = entry.releases && { releases: entry.releases };
  if (!entry.version) return { ...refuseMissing(origin.host, id, entry), ...listed };
  const { nearest, publications } = entry.earlier ?? {};
  // Only packuments have other versions: without one, the version is described by other documents.
  const listing = entry.earlier && digestNpmRelease(entry.version, entry.publishedAt);
  return {
    ...readRelease(entry.version, entry),
    ...(listing !== undefined && { listing }),
    ...(nearest && { earlier: readEarlier(nearest, entry) }),
    ...(publications && { publications }),
    ...listed,
  };
};

/** Fetches the full packument of an npm package as the list of its versions; undefined if the name is unknown. */
export const askNpmList: AskPackageList = (origin, name, known) =>
  askPackumentAnswer(origin, { name, accept: full, etag: known?.etag }, (answer) =>
    isKnownAnswer(answer, known)
      ? 'unchanged'
      : readNpmList(readJson(origin.host, answer), name, toValidator(answer)),
  );

/**
 * Fetches the versions of an npm package with their times; without times if the full packument is too large. Undefined
 * if the name is unknown.
 */
export const listNpmReleases: ListReleases = async (origin, name) => {
  const read = (document: unknown) => {
    const parts = splitPackument(document, name);
    return parts && readPackageReleases(parts.versions, parts.time);
  };
  try {
    return await askPackument(origin, { name, accept: full }, read);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return await askPackument(origin, { name, accept: abbreviated }, read);
  }
};
