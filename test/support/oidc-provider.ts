import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { isObject } from '../../shared/util/json.ts';

export const providerClientId = 'package-registry';

/** The accounts by their login names, with the claims of their ID tokens. */
const accounts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ana: { email: 'ana@example.com', email_verified: true, groups: ['security'] },
  bo: { email: 'bo@example.com', email_verified: true, groups: ['shop'] },
};

interface ProviderOptions {
  /** Whether the provider offers the device grant. */
  readonly deviceFlow?: boolean;
  /** The interval of the device grant, in seconds. */
  readonly deviceIntervalSeconds?: number;
  /** The lifetime of ID tokens, in seconds. */
  readonly idTokenSeconds?: number;
}

/** A real OpenID Connect provider on loopback: its sign-in page takes any password. */
export interface TestProvider {
  readonly url: string;
  /** The paths of all requests. */
  readonly requests: string[];
  /** Called before each request for tokens. */
  beforeToken: (() => void) | undefined;
  close(): Promise<void>;
}

/** Starts a provider with a public client, which may use any port of this machine. */
export const startProvider = async ({
  deviceFlow = true,
  deviceIntervalSeconds = 1,
  idTokenSeconds = 600,
}: ProviderOptions = {}): Promise<TestProvider> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const configuration: Configuration = {
    clients: [
      {
        client_id: providerClientId,
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [
          ...['http://127.0.0.1/console', 'http://127.0.0.1/callback'],
          'http://localhost/callback',
        ],
        grant_types: [
          'authorization_code',
          'refresh_token',
          ...(deviceFlow ? ['urn:ietf:params:oauth:grant-type:device_code'] : []),
        ],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups', 'offline_access'],
    conformIdTokenClaims: false,
    clientBasedCORS: () => true,
    features: { deviceFlow: { enabled: deviceFlow }, revocation: { enabled: true } },
    // As the providers of companies do, without a page for consent each time.
    issueRefreshToken: () => Promise.resolve(true),
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts[id] }),
    }),
    jwks: {
      keys: [{ ...(await exportJWK(privateKey)), kid: 'provider', use: 'sig', alg: 'RS256' }],
    },
    ttl: { IdToken: idTokenSeconds, AccessToken: 600, DeviceCode: 600, RefreshToken: 3600 },
    cookies: { keys: ['loopback'] },
  };
  const requests: string[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, configuration);
  provider.use(async (context, next) => {
    await next();
    const { body, oidc } = context;
    if (oidc?.route === 'device_authorization' && isObject(body) && 'device_code' in body) {
      context.body = { ...body, interval: deviceIntervalSeconds };
    }
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    requests.push(request.url ?? '/');
    if (request.url === '/token') own.beforeToken?.();
    handle(request, response);
  });
  const own: TestProvider = {
    url,
    requests,
    beforeToken: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return own;
};
