import type { IncomingMessage, ServerResponse } from 'node:http';
import { byEcosystem, ecosystems } from '../../../../shared/ecosystems/ecosystem.ts';
import {
  type Collected,
  createOriginClient,
  type OriginSettings,
} from '../../../../shared/ecosystems/origin-client.ts';
import type { OciRegistry } from '../../../support/oci-registry.ts';

/** Answers a request to a registry in its place. */
export type Act = (request: IncomingMessage, response: ServerResponse) => void;

/** Name of the image that these tests fetch. */
export const shop = 'registry.example.com/acme/shop';

/** Creates a client with one registry of images, whose API has this address. */
export const openImageClient = (url: string, settings: Partial<OriginSettings> = {}) =>
  createOriginClient({
    addresses: byEcosystem(ecosystems, () => 'http://127.0.0.1:9'),
    imageRegistries: [{ host: 'registry.example.com', url }],
    timeoutMs: 20_000,
    backoffMs: 1,
    ...settings,
  });

/** Fetches the upstream metadata of a tag or digest of the image. */
export const askImage = (
  { url }: Pick<OciRegistry, 'url'>,
  version: string,
  settings: Partial<OriginSettings> = {},
): Promise<Collected> =>
  openImageClient(url, settings).collectFacts({ ecosystem: 'docker', name: shop, version });

/** Answers with a body, which is JSON of any value but a text or bytes. */
export const answerWith =
  (body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): Act =>
  (_, response) => {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(status, headers).end(isRaw ? body : JSON.stringify(body));
  };

/** Answers with a body that never ends. */
export const answerWithoutEnd =
  (headers: Readonly<Record<string, string>> = {}, status = 200): Act =>
  (_, response) => {
    response.writeHead(status, headers);
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  };
