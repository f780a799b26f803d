import { expect, it } from 'vitest';
import { waitForDevice } from '../../../../cli/commands/login/device-sign-in.ts';
import { beginDeviceSignIn, discoverProvider } from '../../../../shared/api/client/sign-in.ts';
import { makeKey, signClaims } from '../../../support/issuer.ts';
import { breakOff, json, type Scene, startScripted } from '../../../support/scripted-server.ts';
import { useSimulatedClock } from '../../../support/simulated-clock.ts';

const clock = useSimulatedClock();
const aborted = new AbortController().signal;

const refuse = (error: string): Scene => json(400, { error });

/** Starts a provider whose device grant answers each poll as the script says. */
const startDevice = async (...polls: readonly Scene[]) => {
  const issuer = await startScripted(
    (response, request) => {
      const url = `http://${request.headers.host}`;
      json(200, {
        ...{ issuer: url, token_endpoint: `${url}/token` },
        device_authorization_endpoint: `${url}/device`,
      })(response, request);
    },
    json(200, {
      ...{ device_code: 'device', user_code: 'USER-CODE', expires_in: 60 },
      verification_uri: 'https://login.example.com/device',
    }),
    ...polls,
  );
  const provider = await discoverProvider({ issuer: issuer.url, client_id: 'cli' });
  const device = await beginDeviceSignIn(provider);
  if (!device) throw new Error('The provider offers no device grant');
  return { issuer, provider, device };
};

const signIdToken = async (iss: string): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss, sub: 'ana', aud: 'cli', iat: now, exp: now + 300 };
  return signClaims(claims, await makeKey('RS256'));
};

it('polls by the interval, slower on demand and after a broken connection', async () => {
  const issued: Scene = async (response, request) => {
    const id_token = await signIdToken(`http://${request.headers.host}`);
    json(200, { access_token: 'a', token_type: 'bearer', refresh_token: 'r', id_token })(
      response,
      request,
    );
  };
  const { issuer, provider, device } = await startDevice(
    refuse('authorization_pending'),
    refuse('slow_down'),
    refuse('authorization_pending'),
    breakOff,
    issued,
  );

  const tokens = await waitForDevice(provider, device, aborted);

  expect(clock.pauses).toEqual([5000, 5000, 10_000, 10_000, 15_000]);
  expect(tokens).toMatchObject({ refreshToken: 'r' });
  expect(issuer.received.at(-1)?.body).toContain('device_code=device');
  await issuer.close();
});

it('ends with the code, without a further request', async () => {
  const { issuer, provider, device } = await startDevice(refuse('authorization_pending'));

  const waiting = waitForDevice(provider, device, aborted);

  await expect(waiting).rejects.toThrow('The code has expired before somebody signed in.');
  expect(clock.pauses).toHaveLength(12);
  expect(issuer.received).toHaveLength(2 + 11);
  await issuer.close();
});

it('ends with a refusal of the provider', async () => {
  const { issuer, provider, device } = await startDevice(refuse('access_denied'));

  await expect(waitForDevice(provider, device, aborted)).rejects.toMatchObject({
    error: 'access_denied',
  });
  await issuer.close();
});

it('falls back to the browser for a client without the grant', async () => {
  const issuer = await startScripted((response, request) => {
    const url = `http://${request.headers.host}`;
    const document = { issuer: url, device_authorization_endpoint: `${url}/device` };
    const isDocument = request.url?.startsWith('/.well-known/');
    (isDocument ? json(200, document) : refuse('unauthorized_client'))(response, request);
  });
  const provider = await discoverProvider({ issuer: issuer.url, client_id: 'cli' });

  expect(await beginDeviceSignIn(provider)).toBeUndefined();
  await issuer.close();
});
