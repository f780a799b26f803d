import { createHash } from 'node:crypto';
import { parseFileHashes } from '../../../../shared/domain/packages/file-hash.ts';
import { createDeadline } from '../../../../shared/util/deadline.ts';
import {
  type Outbound,
  type OutboundSettings,
  openOutbound,
} from '../../../../shared/util/outbound-http/outbound-http.ts';
import { readBounded } from '../../../../shared/util/outbound-http/read-bounded.ts';
import {
  describeStatus,
  requestWithin,
} from '../../../../shared/util/outbound-http/request-within.ts';
import { exponentialDelay } from '../../../../shared/util/retry.ts';
import { NegativeResultError } from '../../../failure/negative-result-error.ts';
import { isAllowedAddress } from '../../../input/allowed-address.ts';
import { archiveBounds } from '../archives/archive.ts';

/** A file of a version as its evidence lists it. */
export interface ListedFile {
  readonly file: string;
  readonly digest: string | null;
  readonly url: string | null;
}

export interface FetchOptions extends OutboundSettings {
  /** The URL of the registry. Only a registry on this machine may name files on this machine. */
  readonly registry: string;
  readonly signal: AbortSignal;
}

/** Hash algorithms for which nobody can make a second file. */
const strongAlgorithms: readonly string[] = ['sha512', 'sha384', 'sha256'];
/** SHA-1 is all that old npm versions and Maven files have. */
const acceptedAlgorithms: readonly string[] = [...strongAlgorithms, 'sha1'];

const selectHash = ({ file, digest }: ListedFile) => {
  const hashes = parseFileHashes(digest ?? '');
  const hash = acceptedAlgorithms
    .map((algorithm) => hashes.find((one) => one.algorithm === algorithm))
    .find((one) => one !== undefined);
  if (hash) return hash;
  throw new NegativeResultError(
    `${file} has no digest that proves its content, so that it is not compared.`,
  );
};

/**
 * Returns the URL of a file. Upstream may have named it, so that it must not lead into this machine or its own network.
 * @throws {NegativeResultError} if the file has no URL, or one that is not allowed
 */
const selectUrl = ({ file, url: text }: ListedFile, registry: string): URL => {
  const url = URL.parse(text ?? '');
  if (!url) throw new NegativeResultError(`The registry names no address of ${file}.`);
  if (isAllowedAddress(url, registry)) return url;
  throw new NegativeResultError(`The address of ${file} is not allowed: ${url.host || text}.`);
};

/** The most time for one attempt, and for all. */
const [timeoutMs, deadlineMs] = [120_000, 180_000];

const download = async (send: Outbound, url: URL, signal: AbortSignal): Promise<Buffer> => {
  signal.throwIfAborted();
  // A server could otherwise compress the archive once more, and its digest would differ.
  const { response } = await send(url, { headers: { 'Accept-Encoding': 'identity' }, signal });
  if (response.ok) return readBounded(url.host, response, archiveBounds.packedBytes);
  await response.body?.cancel();
  throw describeStatus(url.host, response);
};

/**
 * Downloads a file from its origin, and compares its digest with the one in the evidence.
 * @throws {NegativeResultError} if the digest is another one or missing, or the address is not allowed
 * @throws {UpstreamError} if the origin fails, or its file is too large
 */
export const fetchArchive = async (
  listed: ListedFile,
  { registry, signal, ...settings }: FetchOptions,
): Promise<Buffer> => {
  const hash = selectHash(listed);
  const url = selectUrl(listed, registry);
  const send = openOutbound(url.host, url, settings);
  const content = await requestWithin(
    { who: url.host, timeoutMs },
    {
      attempts: 3,
      delayMs: exponentialDelay({ firstMs: 500, longestMs: 2_000 }),
      deadline: createDeadline(deadlineMs),
    },
    (attempt) => download(send, url, AbortSignal.any([signal, attempt])),
  );
  if (createHash(hash.algorithm).update(content).digest('hex') === hash.hex) return content;
  throw new NegativeResultError(
    `${listed.file} from ${url.host} has another digest than ${listed.digest}, so that it is not compared.`,
    ['Upstream may have changed the file: do not approve the version before you know why.'],
  );
};
