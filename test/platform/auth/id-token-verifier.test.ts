import { createHmac, type KeyObject, generateKeyPairSync as makePair, sign } from 'node:crypto';
import { CompactEncrypt, type CryptoKey, exportSPKI, importJWK, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TrustedIssuer } from '../../../shared/domain/identity/trusted-issuer.ts';
import { createIdTokenVerifier } from '../../../shared/platform/auth/id-token-verifier.ts';
import { createIssuerKeys, toDiscoveryUrl } from '../../../shared/platform/auth/issuer-keys.ts';
import { type IssuerKey, makeKey, signClaims, type TokenClaims } from '../../support/issuer.ts';

const here = 'https://id.example.com';
const other = 'https://other.example.com';
const nowMs = 1_800_000_000_000;
const now = nowMs / 1000;

const trust = (issuer: string): TrustedIssuer => ({
  ...{ issuer, holders: 'people', audiences: ['registry'] },
  label: { claim: 'email', prefix: '' },
  rules: [{ if: {}, scopes: ['review'] }],
});

const valid = {
  ...{ iss: here, sub: 'ana-1', aud: 'registry', email: 'ana@example.com' },
  ...{ iat: now - 10, exp: now + 300 },
};

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** What the issuers publish, by URL. */
type Published = Readonly<Record<string, unknown>>;

const publish = (keys: Readonly<Record<string, readonly JWK[]>>): Published =>
  Object.fromEntries(
    Object.entries(keys).flatMap(([issuer, some]) => [
      [toDiscoveryUrl(issuer).href, { issuer, jwks_uri: `${issuer}/keys` }],
      [`${issuer}/keys`, { keys: some }],
    ]),
  );

/** A verifier of two issuers, with the URLs that it requested. */
const verifyWith = (published: Published, at = nowMs) => {
  const requested: string[] = [];
  const caches = new Map(
    [here, other].map((issuer) => {
      const keys = createIssuerKeys({
        issuer,
        now: () => at,
        noteFailure: () => undefined,
        load: async ({ href }) => {
          requested.push(href);
          const document = published[href];
          if (document === undefined) throw new Error('unreachable');
          return document as Record<string, unknown>;
        },
      });
      return [issuer, keys] as const;
    }),
  );
  const verifier = createIdTokenVerifier({
    issuers: [trust(here), trust(other)],
    now: () => at,
    keysOf: (issuer) => {
      const found = caches.get(issuer);
      if (!found) throw new Error(`No keys of ${issuer}`);
      return found;
    },
  });
  const verify = async (token: string, labels: readonly string[] = []) => {
    const outcome = await verifier.verify(token, labels);
    return outcome.kind === 'accepted' ? outcome.caller : outcome;
  };
  return { verify, requested };
};

describe('an ID token', () => {
  let es256: IssuerKey;
  let rs256: IssuerKey;
  let eddsa: IssuerKey;
  let foreign: IssuerKey;
  let published: Published;

  beforeAll(async () => {
    [es256, rs256, eddsa, foreign] = (await Promise.all(
      ['ES256', 'RS256', 'EdDSA', 'ES256'].map((alg) => makeKey(alg)),
    )) as [IssuerKey, IssuerKey, IssuerKey, IssuerKey];
    published = publish({
      [here]: [es256, rs256, eddsa].map(({ publicJwk }) => publicJwk),
      [other]: [foreign.publicJwk],
    });
  });

  const verify = (token: string) => verifyWith(published).verify(token);

  it.each(['ES256', 'RS256', 'EdDSA'])('is accepted with a signature by %s', async (alg) => {
    const key = [es256, rs256, eddsa].find((one) => one.alg === alg) ?? es256;

    expect(await verify(await signClaims(valid, key))).toMatchObject({
      ...{ label: 'ana@example.com', scopes: ['review'], issuer: here },
      expires: new Date(valid.exp * 1000),
    });
  });

  it.each<[string, TokenClaims]>([
    ['a list of audiences', { aud: ['registry', 'other'], azp: 'registry' }],
    ["the client of Cognito's access tokens", { aud: undefined, client_id: 'registry' }],
    ['a clock that is 50 seconds ahead', { iat: now + 50, nbf: now + 50 }],
    ['an expiry 50 seconds ago', { exp: now - 50 }],
  ])('is accepted with %s', async (_, claims) => {
    expect(await verify(await signClaims({ ...valid, ...claims }, es256))).toHaveProperty('label');
  });

  it.each<[string, TokenClaims, RegExp]>([
    ['another audience', { aud: 'shop' }, /another audience/],
    ['no audience', { aud: undefined }, /another audience/],
    ['an audience that begins like ours', { aud: 'registry-test' }, /another audience/],
    [
      'another client than its audience',
      { aud: 'shop', client_id: 'registry' },
      /another audience/,
    ],
    ['a party of another audience', { aud: ['registry', 'shop'], azp: 'shop' }, /another audience/],
    ['an expiry two minutes ago', { exp: now - 120 }, /has expired/],
    ['no expiry', { exp: undefined }, /claim exp is missing/],
    ['an expiry that no date can have', { exp: 1e14 }, /claim exp is no time/],
    ['an expiry that is text', { exp: '9999999999' }, /claim exp/],
    ['a beginning in two minutes', { nbf: now + 120 }, /not valid yet/],
    ['an issue in two minutes', { iat: now + 120 }, /not valid yet/],
    ['no time of issue', { iat: undefined }, /claim iat is missing/],
    ['no subject', { sub: undefined }, /claim sub is missing/],
    ['an empty subject', { sub: '' }, /no subject/],
    ['an unknown issuer', { iss: 'https://evil.example.com' }, /not an ID token of an issuer/],
    ['an issuer with a slash more', { iss: `${here}/` }, /not an ID token of an issuer/],
    ['a list of issuers', { iss: [here] }, /not an ID token of an issuer/],
  ])('is refused with %s', async (_, claims, reason) => {
    const outcome = await verify(await signClaims({ ...valid, ...claims }, es256));

    expect(outcome).toEqual({ kind: 'invalid', reason: expect.stringMatching(reason) });
  });

  describe('of an attack that RFC 8725 describes is refused:', () => {
    const header = () => ({ alg: 'ES256', kid: es256.kid, typ: 'JWT' });

    it.each(['none', 'None', 'nOnE', ''])(
      'no signature, by the algorithm %j (2.1)',
      async (alg) => {
        const unsigned = `${encode({ alg, typ: 'JWT' })}.${encode(valid)}.`;

        expect(await verify(unsigned)).toMatchObject({ kind: 'invalid' });
      },
    );

    it('a shared secret that is the public key, as PEM and as JWK (2.1)', async () => {
      const pem = await exportSPKI((await importJWK(rs256.publicJwk)) as CryptoKey);
      for (const secret of [pem, JSON.stringify(rs256.publicJwk), rs256.publicJwk.n ?? '']) {
        const start = `${encode({ alg: 'HS256', kid: rs256.kid })}.${encode(valid)}`;
        const mac = createHmac('sha256', secret).update(start).digest('base64url');

        expect(await verify(`${start}.${mac}`)).toMatchObject({ kind: 'invalid' });
      }
    });

    it.each(['ES384', 'PS256', 'RS512', 'HS512', 'RS1'])(
      'an algorithm that is not allowed: %s (3.1)',
      async (alg) => {
        const token = await signClaims(valid, es256);
        const [, payload, signature] = token.split('.');
        const changed = `${encode({ ...header(), alg })}.${payload}.${signature}`;

        expect(await verify(changed)).toMatchObject({ kind: 'invalid' });
      },
    );

    it('an algorithm that is not that of the key (3.1)', async () => {
      const token = await signClaims(valid, es256, { kid: rs256.kid });

      expect(await verify(token)).toMatchObject({
        kind: 'invalid',
        reason: expect.stringMatching(/no such key/),
      });
    });

    it('an RSA key that is too short (3.5)', async () => {
      const { privateKey, publicKey } = makePair('rsa', { modulusLength: 1024 });
      const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'short', alg: 'RS256' } as JWK;
      const start = `${encode({ alg: 'RS256', kid: 'short' })}.${encode(valid)}`;
      const token = `${start}.${sign('sha256', Buffer.from(start), privateKey).toString('base64url')}`;

      expect(await verifyWith(publish({ [here]: [jwk] })).verify(token)).toMatchObject({
        kind: 'invalid',
      });
    });

    it('an encrypted token, also around a valid one (2.3, 2.5)', async () => {
      const { publicKey } = makePair('rsa', { modulusLength: 2048 });
      const nested = await new CompactEncrypt(Buffer.from(await signClaims(valid, es256)))
        .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM', cty: 'JWT' })
        .encrypt(publicKey as KeyObject);

      expect(await verify(nested)).toMatchObject({ kind: 'invalid' });
    });

    it('a payload in UTF-16, and one that is no object (2.6)', async () => {
      const key = es256.privateKey;
      const signBytes = async (payload: Buffer): Promise<string> => {
        const start = `${encode(header())}.${payload.toString('base64url')}`;
        const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
        const bytes = await crypto.subtle.sign(algorithm, key, Buffer.from(start));
        return `${start}.${Buffer.from(bytes).toString('base64url')}`;
      };
      const text = JSON.stringify(valid);

      for (const payload of [Buffer.from(text, 'utf16le'), Buffer.from(`[${text}]`)]) {
        expect(await verify(await signBytes(payload))).toMatchObject({ kind: 'invalid' });
      }
      expect(await verify(await signBytes(Buffer.from(text)))).toHaveProperty('label');
    });

    it('a token of one issuer in the name of another one (2.7)', async () => {
      const inTheNameOfHere = await signClaims(valid, foreign);
      const withItsKeyId = await signClaims(valid, foreign, { kid: es256.kid });
      const own = await signClaims({ ...valid, iss: other }, foreign);

      expect(await verify(inTheNameOfHere)).toMatchObject({ kind: 'invalid' });
      expect(await verify(withItsKeyId)).toMatchObject({ kind: 'invalid' });
      expect(await verify(own)).toMatchObject({ issuer: other });
    });

    it.each(['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'token-introspection+jwt', 'x'])(
      'another kind of token: %s (2.8, 3.11)',
      async (typ) => {
        const outcome = await verify(await signClaims(valid, es256, { typ }));

        expect(outcome).toMatchObject({ kind: 'invalid', reason: 'It is another kind of token.' });
      },
    );

    it('a logout token, and a type that is no text (2.8)', async () => {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const logout = await signClaims({ ...valid, events }, es256);
      const untyped = await signClaims(valid, es256, { typ: null });

      for (const token of [logout, untyped]) {
        expect(await verify(token)).toMatchObject({ kind: 'invalid' });
      }
    });

    it('keys and addresses in its header, and no request to them (2.9, 3.10)', async () => {
      const evil = 'https://evil.example.com/keys';
      for (const added of [{ jku: evil }, { x5u: evil }, { jwk: foreign.publicJwk }]) {
        const { verify: check, requested } = verifyWith(published);
        const token = await signClaims(valid, foreign, { ...added, kid: es256.kid });

        expect(await check(token)).toMatchObject({ kind: 'invalid' });
        expect(requested.filter((url) => !url.startsWith(here))).toEqual([]);
      }
    });

    it.each(['../../etc/passwd', "' OR 1=1 --", '__proto__', 'constructor', 'x'.repeat(5000)])(
      'a key id that is no key id: %j (2.9, 3.10)',
      async (kid) => {
        expect(await verify(await signClaims(valid, es256, { kid }))).toMatchObject({
          kind: 'invalid',
        });
      },
    );

    it('a critical extension (RFC 7515, 4.1.11), and an unencoded payload (RFC 7797)', async () => {
      const token = await signClaims(valid, es256);
      const [, payload, signature] = token.split('.');
      for (const added of [
        { crit: ['exp'], exp: 1 },
        { crit: ['b64'], b64: false },
      ]) {
        const changed = `${encode({ ...header(), ...added })}.${payload}.${signature}`;

        expect(await verify(changed)).toMatchObject({ kind: 'invalid' });
      }
    });

    it('a signature of zeros, of another encoding, cut and empty', async () => {
      const [start, payload, signature = ''] = (await signClaims(valid, es256)).split('.');
      const der = Buffer.concat([Buffer.from([0x30, 0x44]), Buffer.alloc(68)]);
      const wrong = [Buffer.alloc(64), der, Buffer.from(signature, 'base64url').subarray(1)]
        .map((bytes) => bytes.toString('base64url'))
        .concat('', signature.slice(0, -2));

      for (const one of wrong) {
        expect(await verify(`${start}.${payload}.${one}`)).toMatchObject({ kind: 'invalid' });
      }
    });

    it('changed claims', async () => {
      const [start, , signature] = (await signClaims(valid, es256)).split('.');

      const changed = `${start}.${encode({ ...valid, email: 'bo@example.com' })}.${signature}`;

      expect(await verify(changed)).toMatchObject({ reason: 'Its signature is wrong.' });
    });
  });

  it.each(['', '.', '..', 'a.b.c', 'x'.repeat(20_000), `${encode('{')}.${encode('{')}.`])(
    'is refused without a request if it is %j',
    async (token) => {
      const { verify: check, requested } = verifyWith(published);

      expect(await check(token)).toMatchObject({ kind: 'invalid' });
      expect(requested).toEqual([]);
    },
  );

  it('of a new key is accepted after one more request for keys', async () => {
    const keys: Record<string, unknown> = publish({ [here]: [es256.publicJwk] });
    const { verify: check, requested } = verifyWith(keys);
    await check(await signClaims(valid, es256));
    Object.assign(keys, publish({ [here]: [rs256.publicJwk] }));

    const first = await check(await signClaims(valid, rs256));

    // The last request was moments ago.
    expect(first).toMatchObject({ kind: 'invalid', reason: 'Its issuer has no such key.' });
    expect(requested).toHaveLength(2);
  });

  it.each<[string, Published]>([
    ['no document', {}],
    [
      "another issuer's document",
      { [toDiscoveryUrl(here).href]: { issuer: other, jwks_uri: `${here}/keys` } },
    ],
    ['no address of keys', { [toDiscoveryUrl(here).href]: { issuer: here } }],
    [
      'an address of keys without TLS',
      { [toDiscoveryUrl(here).href]: { issuer: here, jwks_uri: 'http://id.example.com/keys' } },
    ],
    [
      'an address of keys that is no URL',
      { [toDiscoveryUrl(here).href]: { issuer: here, jwks_uri: 7 } },
    ],
    [
      'keys that are none',
      {
        [toDiscoveryUrl(here).href]: { issuer: here, jwks_uri: `${here}/keys` },
        [`${here}/keys`]: { keys: 'none' },
      },
    ],
  ])('is unavailable while its issuer has %s', async (_, documents) => {
    const { verify: check } = verifyWith(documents);

    expect(await check(await signClaims(valid, es256))).toEqual({ kind: 'unavailable' });
  });

  it('shows nothing of the token in its reasons', async () => {
    const reasons = await Promise.all(
      [{ aud: 'secret-aud' }, { sub: 7 }, { iss: 'https://secret.example.com' }].map(
        async (claims) =>
          JSON.stringify(await verify(await signClaims({ ...valid, ...claims }, es256))),
      ),
    );

    expect(reasons.join()).not.toMatch(/secret|ana/);
  });
});
