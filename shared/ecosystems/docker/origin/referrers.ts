import { isObject, readAt, readTextAt } from '../../../util/json.ts';
import {
  explainNonsense,
  type Origin,
  type OriginAnswer,
  readJson,
} from '../../origin/origin-http.ts';
import { type Descriptor, indexType, readDescriptor } from './manifest-document.ts';

/** Artifact that is attached to an image. Everything but its digest is a statement of the registry. */
export interface Referrer extends Descriptor {
  /** Type such as `application/spdx+json`; undefined if the registry names none. */
  readonly artifactType: string | undefined;
  /** Type of the statement in a Sigstore bundle, according to cosign's annotation. */
  readonly predicateType: string | undefined;
}

/** Artifacts that are attached to an image. */
export interface ReferrerList {
  readonly referrers: readonly Referrer[];
  /** True if the registry may have more of them than these. */
  readonly isPartial: boolean;
}

/** Maximum number of artifacts, of pages, and of bytes of a page. Images have a handful. */
const mostReferrers = 100;
const mostPages = 5;
const maxPageBytes = 1024 * 1024;
/** Maximum length of a `Link` header in characters. */
const longestLink = 4_096;

const predicateAnnotation = 'dev.sigstore.bundle.predicateType';

const readReferrer = (entry: unknown): Referrer | undefined => {
  const descriptor = readDescriptor(entry);
  return (
    descriptor && {
      ...descriptor,
      artifactType: readTextAt(entry, 'artifactType')?.toLowerCase(),
      predicateType: readTextAt(entry, 'annotations', predicateAnnotation),
    }
  );
};

/**
 * Returns the entries of an index of referrers.
 * @throws {UpstreamError} if the response is none
 */
const readEntries = (host: string, answer: OriginAnswer): readonly unknown[] => {
  const document = readJson(host, answer);
  const manifests = readAt(document, 'manifests');
  if (!isObject(document) || !Array.isArray(manifests)) throw explainNonsense(host, answer);
  return manifests;
};

/** Returns the URL of the next page, if it is one of this list; undefined for another one, `null` without one. */
const findNextPage = ({ findOwn }: Origin, { url, headers }: OriginAnswer) => {
  const link = headers.get('Link');
  if (link === null) return null;
  const [, target] = /<([^<>]*)>\s*;[^<>,]*\brel="?next\b/.exec(link.slice(0, longestLink)) ?? [];
  if (target === undefined) return null;
  const next = findOwn(URL.parse(target, url.href)?.href ?? '');
  return next?.pathname === url.pathname ? next : undefined;
};

const toList = (entries: readonly unknown[], isPartial: boolean): ReferrerList => ({
  referrers: entries.slice(0, mostReferrers).flatMap((entry) => readReferrer(entry) ?? []),
  isPartial: isPartial || entries.length > mostReferrers,
});

/** Returns the artifacts that the referrers API lists; undefined if the registry does not have the API. */
const askReferrersApi = async (
  origin: Origin,
  first: string,
): Promise<ReferrerList | undefined> => {
  const entries: unknown[] = [];
  let path: string | URL | null | undefined = first;
  for (let pages = 0; pages < mostPages && entries.length <= mostReferrers; pages += 1) {
    if (!path) break;
    const answer: OriginAnswer | undefined = await origin.ask({
      ...{ path, accept: indexType, maxBytes: maxPageBytes },
    });
    if (!answer && pages === 0) return undefined;
    if (!answer) return toList(entries, true);
    entries.push(...readEntries(origin.host, answer));
    path = findNextPage(origin, answer);
  }
  return toList(entries, path !== null);
};

/** Returns the artifacts in the index with the tag that clients maintain in place of the API; none without the tag. */
const askFallbackTag = async (origin: Origin, base: string, tag: string): Promise<ReferrerList> => {
  const answer = await origin.ask({
    ...{ path: `${base}/manifests/${tag}`, accept: indexType, maxBytes: maxPageBytes },
  });
  return toList(answer ? readEntries(origin.host, answer) : [], false);
};

/**
 * Fetches the list of the artifacts that are attached to the image with a digest. Source: OCI Distribution Specification 1.1,
 * `referrers`, with its referrers tag schema.
 * @param base path of the repository
 * @throws {UpstreamError} if the registry refuses the request, or answers with something else
 */
export const listReferrers = async (
  origin: Origin,
  base: string,
  digest: string,
  hasTag: (tag: string) => Promise<boolean>,
): Promise<ReferrerList> => {
  const list = await askReferrersApi(origin, `${base}/referrers/${digest}`);
  if (list) return list;
  const tag = digest.replace(':', '-');
  // Registries limit requests for manifests, but not those for headers.
  return (await hasTag(tag)) ? askFallbackTag(origin, base, tag) : toList([], false);
};
