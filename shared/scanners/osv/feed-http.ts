import type { OutboundSettings } from '../../util/outbound-http/outbound-http.ts';
import { openOutbound } from '../../util/outbound-http/outbound-http.ts';
import { readBounded } from '../../util/outbound-http/read-bounded.ts';
import {
  describeStatus,
  type OutboundRetryOptions,
  requestWithin,
} from '../../util/outbound-http/request-within.ts';
import { UpstreamError } from '../../util/outbound-http/upstream-error.ts';

/** Settings of a malware feed. */
export interface MalwareFeedSettings extends OutboundSettings {
  /** Base URL of the export. */
  readonly url: string;
  /** Timeout of one request in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum duration of a call with all requests, retries and delays, in milliseconds. */
  readonly deadlineMs?: number;
}

/** Service name in error messages. */
export const feedName = 'The malware feed';

const maxRecordBytes = 1024 * 1024;
const maxEtagLength = 200;

/** Bytes of a list that a request asks for. */
export interface PartRequest {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  /** ETag of the list that the caller knows; the answer has a part only if the list has another one. */
  readonly knownEtag?: string | null;
}

/** Part of a list. */
export interface ListPart {
  readonly bytes: Buffer;
  readonly etag: string | null;
  /** Identity of the list: equal in two parts only if both are of one list. */
  readonly list: string;
  /** Length of the list; null if the service did not state it. */
  readonly total: number | null;
}

/** Sends the requests to a malware feed. */
export interface FeedHttp {
  /** Returns a part of a list, without bytes if the list ends before it. Undefined if the list has the known ETag. */
  readPart(request: PartRequest, retryOptions: OutboundRetryOptions): Promise<ListPart | undefined>;
  /** Returns the text of a record; undefined if there is none. */
  readText(path: string, retryOptions: OutboundRetryOptions): Promise<string | undefined>;
}

/** Reads the bytes from `skip` on, at most `size` of them. Leaving the loop cancels the response. */
const readSlice = async ({ body }: Response, skip: number, size: number) => {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for await (const chunk of body ?? []) {
    const slice = chunk.subarray(Math.max(0, skip - at), Math.max(0, skip + size - at));
    chunks.push(slice);
    at += chunk.length;
    if (at >= skip + size) return { bytes: Buffer.concat(chunks), end: null };
  }
  return { bytes: Buffer.concat(chunks), end: at };
};

const readEtag = ({ headers }: Response): string | null => {
  const etag = headers.get('ETag');
  return etag && etag.length <= maxEtagLength ? etag : null;
};

/** Parses `bytes 0-65535/1048576`, or `bytes *\/0` of a range beyond the end. */
const parseContentRange = ({ headers }: Response) => {
  const [, from, total] =
    /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers.get('Content-Range') ?? '') ?? [];
  return {
    from: from === undefined ? null : Number(from),
    total: total === undefined || total === '*' ? null : Number(total),
  };
};

const readPartOf = async (
  response: Response,
  { path, offset, size }: PartRequest,
): Promise<ListPart> => {
  const etag = readEtag(response);
  if (response.status === 416) {
    await response.body?.cancel();
    const total = parseContentRange(response).total ?? offset;
    return { bytes: Buffer.alloc(0), etag, list: etag ?? `${total}`, total };
  }
  if (response.status === 206) {
    const { from, total } = parseContentRange(response);
    if (from === offset) {
      const { bytes } = await readSlice(response, 0, size);
      return { bytes, etag, list: etag ?? `${total}`, total };
    }
    await response.body?.cancel();
    throw new UpstreamError(`${feedName} returned another range of ${path}`);
  }
  if (response.status === 200) {
    const { bytes, end } = await readSlice(response, offset, size);
    return { bytes, etag, list: etag ?? '', total: end };
  }
  await response.body?.cancel();
  throw describeStatus(feedName, response);
};

/** Creates a sender of requests to a malware feed. Retryable failures are retried before the deadline. */
export const createFeedHttp = (settings: MalwareFeedSettings): FeedHttp => {
  const base = settings.url.replace(/\/$/, '');
  const outbound = openOutbound(feedName, new URL(base), settings);
  const target = { who: feedName, timeoutMs: settings.timeoutMs };

  return {
    readPart: (request, retryOptions) =>
      requestWithin(target, retryOptions, async (signal) => {
        const { path, offset, size, knownEtag } = request;
        const headers = {
          // Offsets belong to the list as it is stored.
          'Accept-Encoding': 'identity',
          Range: `bytes=${offset}-${offset + size - 1}`,
          ...(knownEtag && { 'If-None-Match': knownEtag }),
        };
        const { response } = await outbound(new URL(`${base}${path}`), { headers, signal });
        if (response.status === 304 && knownEtag) return undefined;
        return readPartOf(response, request);
      }),
    readText: (path, retryOptions) =>
      requestWithin(target, retryOptions, async (signal) => {
        const { response } = await outbound(new URL(`${base}${path}`), { headers: {}, signal });
        if (response.ok) return (await readBounded(feedName, response, maxRecordBytes)).toString();
        await response.body?.cancel();
        if (response.status === 404) return undefined;
        throw describeStatus(feedName, response);
      }),
  };
};
