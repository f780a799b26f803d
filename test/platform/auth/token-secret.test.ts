import { afterEach, expect, it } from 'vitest';
import { readSecret } from '../../../shared/platform/auth/token-secret.ts';
import { pointSecretsAt } from '../../support/secrets.ts';
import { type StandIn, serveStandIn } from '../../support/stand-in.ts';

let standIn: StandIn | undefined;
afterEach(() => standIn?.close());

it('does not wait for the end of an answer that stalls', async () => {
  standIn = await serveStandIn((_, response) => {
    response.writeHead(200, {
      'content-type': 'application/x-amz-json-1.1',
      'content-length': 100,
    });
    response.write('{"SecretString":"');
  });
  pointSecretsAt(standIn.url);

  await expect(readSecret('tokens')).rejects.toThrow();
});
