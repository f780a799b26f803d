import { afterEach, expect, it } from 'vitest';
import { createSecretReader } from '../../shared/auth/token-secret.ts';
import { type StandIn, serveStandIn } from '../support/stand-in.ts';

let standIn: StandIn | undefined;
afterEach(() => standIn?.close());

it('does not wait for the end of an answer that stalls', { timeout: 10_000 }, async () => {
  standIn = await serveStandIn((_, response) => {
    response.writeHead(200, {
      'content-type': 'application/x-amz-json-1.1',
      'content-length': 100,
    });
    response.write('{"SecretString":"');
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: standIn.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });

  await expect(createSecretReader('tokens')()).rejects.toThrow();
});
