import type { ImageSbom } from '../../../shared/domain/facts/release-details.ts';
import { hubHost, toImageAddress } from '../../../shared/ecosystems/docker/origin/image-address.ts';
import { openImageSource } from '../../../shared/ecosystems/docker/origin/image-source.ts';
import { createRegistryAccess } from '../../../shared/ecosystems/docker/origin/registry-access.ts';
import { createOriginHttp } from '../../../shared/ecosystems/origin/origin-http.ts';
import { createDeadline } from '../../../shared/util/deadline.ts';
import { isObject, parseJson } from '../../../shared/util/json.ts';
import type { OutboundSettings } from '../../../shared/util/outbound-http/outbound-http.ts';
import { RefusedRequestError } from '../../../shared/util/outbound-http/upstream-error.ts';
import { exponentialDelay } from '../../../shared/util/retry.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { isAllowedAddress, isThisMachine } from '../../input/allowed-address.ts';

export interface SbomOptions extends OutboundSettings {
  /** The URL of the package registry. Only one on this machine may lead to an image registry on this machine. */
  readonly registry: string;
}

/** Maximum size of an SBOM in bytes. Those of large images have 10 MB. */
const maxSbomBytes = 20 * 1024 * 1024;

/** The most time for one attempt, and for all. */
const [timeoutMs, deadlineMs] = [60_000, 180_000];

/**
 * Returns the URL of the registry in the name of an image: HTTPS, except on this machine.
 * @throws {NegativeResultError} if the address is not allowed
 */
const selectUrl = (host: string, registry: string): URL => {
  const name = host === hubHost ? `registry-1.${hubHost}` : host;
  const plain = URL.parse(`http://${name}`);
  const url = plain && isThisMachine(plain) ? plain : URL.parse(`https://${name}`);
  if (url && isAllowedAddress(url, registry)) return url;
  throw new NegativeResultError(`The address of the image's registry is not allowed: ${host}.`);
};

/** Returns the error for people, in place of the refusal of a request without an account. */
const explainRefusal = (error: unknown, host: string): unknown =>
  error instanceof RefusedRequestError && [401, 403].includes(error.status)
    ? new NegativeResultError(`${host} requires an account for the image. This command has none.`)
    : error;

/**
 * Downloads an SBOM from the registry of its image, and compares its digest.
 * @throws {NegativeResultError} if the registry does not have it, or the address is not allowed
 * @throws {UpstreamError} if the registry fails, or has other or too large content
 */
export const fetchSbom = async (
  image: string,
  { digest, size }: ImageSbom,
  { registry, ...settings }: SbomOptions,
): Promise<string> => {
  const { host, repository } = toImageAddress(image);
  const url = selectUrl(host, registry).href;
  const access = createRegistryAccess({ url }, () => Promise.resolve(undefined));
  const origin = createOriginHttp(
    url,
    { timeoutMs, ...settings },
    access,
  )({
    attempts: 3,
    delayMs: exponentialDelay({ firstMs: 500, longestMs: 2_000 }),
    deadline: createDeadline(deadlineMs),
  });
  const blob = { digest, size, mediaType: undefined };
  let bytes: Buffer | undefined;
  try {
    bytes = await openImageSource({ origin, path: 'v2/' }, repository).fetchBlob(
      blob,
      maxSbomBytes,
    );
  } catch (error) {
    throw explainRefusal(error, host);
  }
  if (!bytes) throw new NegativeResultError(`${host} no longer has the SBOM ${digest}.`);
  const text = bytes.toString();
  // Other text could control the terminal, or the workflow that runs the command.
  if (isObject(parseJson(text))) return text;
  throw new NegativeResultError(`The SBOM ${digest} from ${host} is no JSON.`);
};
