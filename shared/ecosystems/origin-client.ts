import type { CollectedRelease } from '../domain/facts/collected-facts.ts';
import type { Facts } from '../domain/facts/facts.ts';
import type { ListValidator } from '../domain/facts/list-validator.ts';
import type { Manifest } from '../domain/facts/manifest.ts';
import type { PackageId, PackageName } from '../domain/packages/package-id.ts';
import { createDeadline } from '../util/deadline.ts';
import { logEvent } from '../util/log.ts';
import type { OutboundRetryOptions } from '../util/outbound-http/request-within.ts';
import {
  catchUpstreamError,
  isSuccess,
  TransientError,
  UpstreamError,
} from '../util/outbound-http/upstream-error.ts';
import { exponentialDelay } from '../util/retry.ts';
import { fetchImageAttestations } from './docker/origin/attestations.ts';
import { fetchDockerFacts, type ImageOrigins } from './docker/origin/docker-origin.ts';
import { toImageAddress } from './docker/origin/image-address.ts';
import { findApiPath, type ImageRegistry } from './docker/origin/image-registry.ts';
import { createRegistryAccess } from './docker/origin/registry-access.ts';
import {
  byEcosystem,
  type Ecosystem,
  ecosystems,
  type FileEcosystem,
  isFileEcosystem,
} from './ecosystem.ts';
import { fetchMavenFacts, listMavenReleases } from './maven/origin/maven-origin.ts';
import { fetchNpmAttestations } from './npm/origin/attestations.ts';
import { askNpmList, fetchNpmFacts, listNpmReleases } from './npm/origin/npm-origin.ts';
import { fetchSigningKeys, type SigningKey } from './npm/origin/signatures.ts';
import { createOriginHttp, type Origin, type OriginHttpSettings } from './origin/origin-http.ts';
import type { AskPackageList, PackageList } from './origin/package-list.ts';
import type { ListReleases, PackageReleases } from './origin/releases.ts';
import { type AskFor, cleanReason, toUnknownFacts } from './origin/upstream-answer.ts';
import {
  type FetchAttestations,
  type FetchedAttestations,
  toGap,
} from './provenance/file-attestations.ts';
import { fetchPypiAttestations } from './pypi/origin/attestations.ts';
import { askPypiList, fetchPypiFacts, listPypiReleases } from './pypi/origin/pypi-origin.ts';

/** Addresses and time limits of upstream fetches. */
export interface OriginSettings extends OriginHttpSettings {
  /** Base address of the origin or of a mirror, such as `https://mirror.example/repository/npm/`. */
  readonly addresses: Readonly<Record<Ecosystem, string>>;
  /** Image registries that may receive requests. Without any, no image has upstream metadata. */
  readonly imageRegistries?: readonly ImageRegistry[];
  /** Total time limit for one version, in milliseconds, including all requests, retries and waits. Default: 60,000. */
  readonly deadlineMs?: number;
  /** Longest wait before the first retry, in milliseconds. Default: 500. */
  readonly backoffMs?: number;
}

/**
 * Outcome of the upstream fetch for one version. `answered`: the origin answered that it has the version or that it lacks
 * the version. `failed`: the fetch failed, and `facts.reason` explains the failure. If `passing` is true, the failure
 * is temporary: retry the fetch after `retryAfterMs` milliseconds, if that is set.
 */
export type Collected =
  | ({ readonly outcome: 'answered' } & CollectedRelease)
  | {
      readonly outcome: 'failed';
      readonly facts: Facts;
      readonly manifest: null;
      readonly passing: boolean;
      readonly retryAfterMs: number | null;
    };

/**
 * Outcome of the upstream fetch of a package's versions. `reason` explains a failure; if `passing` is true, the failure
 * is temporary.
 */
export type ListedReleases =
  | ({ readonly outcome: 'answered' } & PackageReleases)
  | { readonly outcome: 'unknown_name' }
  | { readonly outcome: 'failed'; readonly reason: string; readonly passing: boolean };

/**
 * Outcome of the fetch of a package's list of versions. `unlisted`: there is no list that describes the versions, for the given
 * reason: fetch each version alone. `failed`: the failure is temporary; `retryAfterMs` as in `Collected`.
 */
export type ListedPackage =
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'unknown_name' }
  | ({ readonly outcome: 'answered' } & PackageList)
  | { readonly outcome: 'unlisted'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryAfterMs: number | null };

/** Client that fetches the upstream metadata of versions. */
export interface OriginClient {
  /**
   * Fetches the upstream metadata of a version. Reports a failure of the origin as `failed` and never throws it. `known`
   * is the stored metadata, which is the answer for an image that has not changed.
   */
  collectFacts(id: PackageId, known?: CollectedRelease): Promise<Collected>;
  /**
   * Returns when the first version of a package was published, ISO 8601 in UTC; null if the origin does not show it, or if a
   * request fails.
   */
  findFirstPublication(id: PackageName): Promise<string | null>;
  /** Fetches the versions of a package. Reports a failure of the origin as `failed` and never throws it. */
  listReleases(id: PackageName): Promise<ListedReleases>;
  /**
   * Fetches what the list of a package says about each version, unless it is the known one. Reports a failure of the origin and
   * never throws it.
   */
  fetchPackageList(id: PackageName, known: ListValidator | undefined): Promise<ListedPackage>;
  /** Fetches the attestations of a version. Reports a failure of the origin as a gap and never throws it. */
  fetchAttestations(id: PackageId, manifest: Manifest): Promise<FetchedAttestations>;
  /** Returns the keys with which npm's origin signs versions; none if it has no list of keys, or if a request fails. */
  fetchSigningKeys(): Promise<readonly SigningKey[]>;
}

const asks: Readonly<Record<FileEcosystem, AskFor>> = {
  pypi: fetchPypiFacts,
  npm: fetchNpmFacts,
  maven: fetchMavenFacts,
};

const unsupported = toGap('Attestations of this ecosystem are not checked.');

const lists: Readonly<Record<Ecosystem, ListReleases>> = {
  pypi: listPypiReleases,
  npm: listNpmReleases,
  maven: listMavenReleases,
  docker: () => Promise.reject(new UpstreamError('The tags of images are not listed')),
};

const refuseList: AskPackageList = () =>
  Promise.reject(new UpstreamError('No list of this ecosystem describes its versions'));

/** A POM and its checksums, or the images of a tag, can change without a change of any list. */
const packageLists: Readonly<Record<Ecosystem, AskPackageList>> = {
  pypi: askPypiList,
  npm: askNpmList,
  maven: refuseList,
  docker: refuseList,
};

const attestations: Readonly<Record<FileEcosystem, FetchAttestations>> = {
  pypi: fetchPypiAttestations,
  npm: fetchNpmAttestations,
  maven: () => Promise.resolve(unsupported),
};

const defaultDeadlineMs = 60_000;
const defaultBackoffMs = 500;
/** Attempts per request. More are unnecessary, because the calling worker retries the fetch. */
const attempts = 3;

const toFailedFetch = (error: UpstreamError): Collected => ({
  outcome: 'failed',
  facts: toUnknownFacts(error.message),
  manifest: null,
  passing: error instanceof TransientError,
  retryAfterMs: (error instanceof TransientError ? error.retryAfterMs : undefined) ?? null,
});

const toListedReleases = (answer: PackageReleases | undefined | UpstreamError): ListedReleases => {
  if (answer === undefined) return { outcome: 'unknown_name' };
  if (isSuccess(answer)) return { outcome: 'answered', ...answer };
  const passing = answer instanceof TransientError;
  return { outcome: 'failed', reason: cleanReason(answer.message), passing };
};

/** Returns the list, of which a version that crashes the reader is not described. The log records the cause. */
const readSafely = (id: PackageName, list: PackageList): PackageList => ({
  ...list,
  digestOf: (version) => {
    try {
      return list.digestOf(version);
    } catch (error) {
      logEvent('error', 'origin_not_read', { ...id, version, error });
      return undefined;
    }
  },
});

const toListedPackage = (
  id: PackageName,
  answer: PackageList | 'unchanged' | undefined | UpstreamError,
): ListedPackage => {
  if (answer === undefined) return { outcome: 'unknown_name' };
  if (answer === 'unchanged') return { outcome: 'unchanged' };
  if (isSuccess(answer)) return { outcome: 'answered', ...readSafely(id, answer) };
  const reason = cleanReason(answer.message);
  return answer instanceof TransientError
    ? { outcome: 'failed', reason, retryAfterMs: answer.retryAfterMs ?? null }
    : { outcome: 'unlisted', reason };
};

/** Turns a reader's crash into a permanent `UpstreamError`: a retry would also crash. The log records the cause. */
const askSafely = async <T>(
  { host }: Pick<Origin, 'host'>,
  { ecosystem, name, version }: PackageName & Partial<PackageId>,
  ask: () => Promise<T>,
): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    logEvent('error', 'origin_not_read', { ecosystem, name, version, error });
    const what = version === undefined ? name : `${name} ${version}`;
    throw new UpstreamError(`What ${host} says of ${what} cannot be read`);
  }
};

/** Creates a client for the origins of all ecosystems. It retries temporary failures until the deadline. */
export const createOriginClient = (settings: OriginSettings): OriginClient => {
  const { addresses, deadlineMs = defaultDeadlineMs, backoffMs = defaultBackoffMs } = settings;
  const { imageRegistries = [], findAuthorization = () => Promise.resolve(undefined) } = settings;
  // A registry gets an account after its challenge only, and mostly at its token server.
  const registrySettings = { ...settings, findAuthorization: undefined };
  const delayMs = exponentialDelay({ firstMs: backoffMs, longestMs: deadlineMs });
  const open = byEcosystem(ecosystems, (ecosystem) =>
    createOriginHttp(addresses[ecosystem], settings),
  );

  const registries = new Map(
    imageRegistries.map((one) => [
      one.host,
      {
        open: createOriginHttp(
          one.url,
          registrySettings,
          createRegistryAccess(one, findAuthorization),
        ),
        path: findApiPath(one),
      },
    ]),
  );

  const limit = (): OutboundRetryOptions => ({
    ...{ attempts, delayMs, deadline: createDeadline(deadlineMs) },
  });

  const connect = (ecosystem: Ecosystem): Origin => open[ecosystem](limit());

  /** Opens the registry of an image, and Docker Hub's web API, within one time limit. */
  const connectImage = (id: PackageId): ImageOrigins => {
    const limits = limit();
    const { host } = toImageAddress(id.name);
    const found = registries.get(host);
    const registry = found && { origin: found.open(limits), path: found.path };
    return { host, hub: open.docker(limits), registry };
  };

  const prepareFacts = (id: PackageId, known: CollectedRelease | undefined) => {
    const { ecosystem } = id;
    if (!isFileEcosystem(ecosystem)) {
      const images = connectImage(id);
      return { host: images.host, fetch: () => fetchDockerFacts(images, id, known) };
    }
    const origin = connect(ecosystem);
    return { host: origin.host, fetch: () => asks[ecosystem](origin, id) };
  };

  const prepareAttestations = (id: PackageId, manifest: Manifest) => {
    const { ecosystem } = id;
    if (!isFileEcosystem(ecosystem)) {
      const images = connectImage(id);
      return { host: images.host, fetch: () => fetchImageAttestations(images, id, manifest) };
    }
    const origin = connect(ecosystem);
    return { host: origin.host, fetch: () => attestations[ecosystem](origin, id, manifest) };
  };

  const listReleases = async (id: PackageName): Promise<ListedReleases> => {
    const origin = connect(id.ecosystem);
    const ask = () => askSafely(origin, id, () => lists[id.ecosystem](origin, id.name));
    return toListedReleases(await catchUpstreamError(ask));
  };

  return {
    listReleases,
    collectFacts: async (id, known) => {
      const { host, fetch } = prepareFacts(id, known);
      const ask = () => askSafely({ host }, id, fetch);
      const answer = await catchUpstreamError(ask);
      return isSuccess(answer) ? { outcome: 'answered', ...answer } : toFailedFetch(answer);
    },
    fetchPackageList: async (id, known) => {
      const origin = connect(id.ecosystem);
      const ask = () =>
        askSafely(origin, id, () => packageLists[id.ecosystem](origin, id.name, known));
      return toListedPackage(id, await catchUpstreamError(ask));
    },
    findFirstPublication: async (id) => {
      const listed = await listReleases(id);
      return listed.outcome === 'answered' ? listed.firstPublishedAt : null;
    },
    fetchAttestations: async (id, manifest) => {
      const { host, fetch } = prepareAttestations(id, manifest);
      const ask = () => askSafely({ host }, id, fetch);
      const answer = await catchUpstreamError(ask);
      return isSuccess(answer) ? answer : toGap(answer.message);
    },
    fetchSigningKeys: async () => {
      const keys = await catchUpstreamError(() => fetchSigningKeys(connect('npm')));
      return isSuccess(keys) ? keys : [];
    },
  };
};
