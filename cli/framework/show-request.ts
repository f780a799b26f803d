import type { CallOptions } from '../../shared/api/client/client.ts';
import { buildRequest, type RouteInput } from '../../shared/api/client/outgoing.ts';
import type { Route } from '../../shared/api/route.ts';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { formatDetails } from '../output/details.ts';
import { writeResult } from '../output/result.ts';
import { showAuthorization } from '../session/credentials.ts';
import type { Session } from '../session/session.ts';

/** Explains a body without sending it, such as how its license is normalized. */
export type BodyPreview = (body: JsonObject) => Promise<object>;

/** A request that `--dry-run` shows. */
export interface UnsentRequest {
  readonly route: Route;
  readonly input: RouteInput;
  readonly options: CallOptions;
}

/** Writes a request without sending it, and with it the preview of its body. The token itself is left out. */
export const showRequest = async (
  { route, input, options }: UnsentRequest,
  { settings, format, terminal }: Session,
  previewBody?: BodyPreview,
): Promise<void> => {
  const { method, url, headers } = buildRequest(settings.url.value, route, input);
  const allHeaders = {
    ...headers,
    ...showAuthorization(settings.credentials),
    'Idempotency-Key': options.idempotencyKey,
  };
  const preview = isObject(input.body) ? await previewBody?.(input.body) : undefined;
  if (format !== 'people') {
    const document = { method, url, headers: allHeaders, body: input.body ?? null, ...preview };
    writeResult(document, terminal, { format });
    return;
  }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`);
  const body = input.body === undefined ? [] : ['', JSON.stringify(input.body, null, 2)];
  terminal.out.write(`${[`${method} ${url}`, ...lines, ...body].join('\n')}\n`);
  const details = formatDetails(preview ?? {}, terminal.err);
  if (details.length > 0) terminal.err.write(`\n${details.join('\n')}\n`);
};
