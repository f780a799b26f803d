import { TooLargeError } from '../../../util/outbound-http/read-bounded.ts';
import {
  catchPermanentFault,
  isSuccess,
  RefusedRequestError,
  UpstreamError,
} from '../../../util/outbound-http/upstream-error.ts';
import type { Origin, OriginAnswer } from '../../origin/origin-http.ts';
import {
  type Descriptor,
  digestBytes,
  isImageDigest,
  type ManifestDocument,
  manifestTypes,
  readManifestDocument,
} from './manifest-document.ts';
import { listReferrers, type ReferrerList } from './referrers.ts';

/** Maximum size of a manifest in bytes. Registries accept no larger ones. */
const maxManifestBytes = 4 * 1024 * 1024;

/** Manifest with the digest of its bytes. */
export interface FoundManifest {
  readonly digest: string;
  /** Size of the manifest in bytes, without its layers. */
  readonly bytes: number;
  readonly document: ManifestDocument;
}

/** A repository of an image registry. Source: OCI Distribution Specification 1.1, `/v2/`. */
export interface ImageSource {
  readonly host: string;
  /** Returns the manifest of a tag or digest; undefined if the registry does not have it. */
  readonly fetchManifest: (reference: string) => Promise<FoundManifest | undefined>;
  /** Returns the digest that a tag has now, without its manifest; undefined if the registry does not say it. */
  readonly findDigest: (tag: string) => Promise<string | undefined>;
  /** Returns the bytes with a digest; undefined if the registry does not have them. */
  readonly fetchBlob: (blob: Descriptor, maxBytes: number) => Promise<Buffer | undefined>;
  /** True if the registry has a tag. The request is for the headers alone. */
  readonly hasTag: (tag: string) => Promise<boolean>;
  /** Returns what is attached to the image with a digest, such as signatures and SBOMs. */
  readonly listReferrers: (digest: string) => Promise<ReferrerList>;
  /** True if the registry has the repository; undefined if it refuses to list tags. */
  readonly exists: () => Promise<boolean | undefined>;
}

/** API of an image registry. */
export interface RegistryApi {
  readonly origin: Origin;
  /** Path of repositories below the origin's address: `v2/`, or empty if the address has it. */
  readonly path: string;
}

const checkDigest = (host: string, what: string, expected: string, actual: string): void => {
  if (expected === actual) return;
  throw new UpstreamError(`${host} answered ${what} with other content: its digest is ${actual}`);
};

/** Opens a repository, whose requests share the time limit of the origin. */
export const openImageSource = (
  { origin, path: apiPath }: RegistryApi,
  repository: string,
): ImageSource => {
  const { host } = origin;
  const base = `${apiPath}${repository}`;
  const askHeaders = (tag: string): Promise<OriginAnswer | undefined> =>
    origin.ask({
      ...{ path: `${base}/manifests/${tag}`, accept: manifestTypes },
      ...{ maxBytes: 0, headersOnly: true },
    });
  const askManifest = (path: string): Promise<OriginAnswer | undefined> =>
    origin.ask({ path, accept: manifestTypes, maxBytes: maxManifestBytes });
  // Some registries and mirrors refuse HEAD, and still have the manifest.
  const hasTag = async (tag: string): Promise<boolean> => {
    const answer = await catchPermanentFault(() => askHeaders(tag));
    const found = isSuccess(answer) ? answer : await askManifest(`${base}/manifests/${tag}`);
    return found !== undefined;
  };
  return {
    host,
    hasTag,
    listReferrers: (digest) => listReferrers(origin, base, digest, hasTag),
    fetchManifest: async (reference) => {
      const path = `${base}/manifests/${reference}`;
      const answer = await askManifest(path);
      if (!answer) return undefined;
      const digest = digestBytes(answer.bytes);
      const header = answer.headers.get('Docker-Content-Digest');
      if (isImageDigest(reference)) checkDigest(host, path, reference, digest);
      if (isImageDigest(header)) checkDigest(host, path, header, digest);
      const document = readManifestDocument(host, answer);
      return { digest, bytes: answer.bytes.length, document };
    },
    findDigest: async (tag) => {
      // A refused request says nothing about the manifest itself.
      const answer = await catchPermanentFault(() => askHeaders(tag));
      const digest = isSuccess(answer) && answer?.headers.get('Docker-Content-Digest');
      return isImageDigest(digest) ? digest : undefined;
    },
    fetchBlob: async ({ digest, size }, maxBytes) => {
      if (size !== null && size > maxBytes) {
        throw new UpstreamError(
          `${digest} has ${size} bytes, of which at most ${maxBytes} are read`,
        );
      }
      const path = `${base}/blobs/${digest}`;
      const answer = await origin.ask({ path, accept: '*/*', maxBytes });
      if (!answer) return undefined;
      checkDigest(host, path, digest, digestBytes(answer.bytes));
      const { length } = answer.bytes;
      if (size !== null && size !== length) {
        throw new UpstreamError(`${digest} has ${length} bytes, and not ${size} as announced`);
      }
      return answer.bytes;
    },
    exists: async () => {
      const path = `${base}/tags/list?n=1`;
      const request = { path, accept: 'application/json', maxBytes: maxManifestBytes };
      const answer = await catchPermanentFault(() => origin.ask(request));
      if (isSuccess(answer)) return answer !== undefined;
      // Some registries list all tags, whatever the requested number.
      if (answer instanceof TooLargeError) return true;
      if (answer instanceof RefusedRequestError) return undefined;
      throw answer;
    },
  };
};
