import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** A signing key of an issuer, with its public part as the issuer publishes it. */
export interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

let made = 0;

/** Creates a key pair. */
export const makeKey = async (alg = 'ES256'): Promise<IssuerKey> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  made += 1;
  const kid = `key-${made}`;
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  return { kid, alg, privateKey, publicJwk };
};

export type TokenClaims = Readonly<Record<string, unknown>>;

/** Signs claims with a key. `header` replaces members of the token's header. */
export const signClaims = (
  claims: TokenClaims,
  { alg, kid, privateKey }: IssuerKey,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg, kid, typ: 'JWT', ...header })
    .sign(privateKey);

/** An issuer of ID tokens on loopback, with its discovery document and its keys. Its faults are those of a test. */
export class TestIssuer {
  readonly url: string;
  /** The paths of all requests. */
  readonly requests: string[] = [];
  /** The published keys; the first one signs. */
  keys: IssuerKey[];
  /** Answers in place of the documents, by path; a status alone is a fault. */
  answers: Record<string, string | number> = {};
  private readonly close_: () => Promise<void>;

  private constructor(url: string, keys: IssuerKey[], close: () => Promise<void>) {
    this.url = url;
    this.keys = keys;
    this.close_ = close;
  }

  static async start(...keys: readonly IssuerKey[]): Promise<TestIssuer> {
    const own = keys.length > 0 ? [...keys] : [await makeKey()];
    const server = createServer((request, response) => {
      const path = request.url ?? '/';
      issuer.requests.push(path);
      const answer = issuer.answers[path] ?? issuer.document(path);
      if (typeof answer === 'number') response.writeHead(answer).end();
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const issuer = new TestIssuer(`http://127.0.0.1:${port}`, own, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return issuer;
  }

  close(): Promise<void> {
    return this.close_();
  }

  /** Signs claims of this issuer that are valid for five minutes, unless the claims say otherwise. */
  async sign(claims: TokenClaims, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const [key] = this.keys;
    if (!key) throw new Error('The issuer has no key');
    const whole = { iss: this.url, sub: 'subject', iat: now, exp: now + 300, ...claims };
    return signClaims(whole, key, header);
  }

  private document(path: string): string | number {
    if (path === '/.well-known/openid-configuration') {
      return JSON.stringify({ issuer: this.url, jwks_uri: `${this.url}/keys` });
    }
    if (path === '/keys') return JSON.stringify({ keys: this.keys.map((key) => key.publicJwk) });
    return 404;
  }
}
