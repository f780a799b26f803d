import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FileHash } from '../../../shared/domain/packages/file-hash.ts';
import releasedRoot from '../../../shared/ecosystems/provenance/trusted-root.build.ts';
import { createAttestationVerifier } from '../../../shared/ecosystems/provenance/verify-attestation.ts';
import {
  type AttestedStatement,
  claims,
  type Sigstore,
  startSigstore,
  toBundle,
} from '../../support/sigstore.ts';

const hex = createHash('sha512').update('the tarball').digest('hex');
const name = 'pkg:npm/%40acme/tool@1.0.0';
const hash: FileHash = { algorithm: 'sha512', hex };
const subject = { isName: (one: string) => one === name, hash };

const statement: AttestedStatement = {
  predicateType: 'https://slsa.dev/provenance/v1',
  subject: [{ name, digest: { sha512: hex } }],
};

let sigstore: Sigstore;
beforeAll(async () => {
  sigstore = await startSigstore();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Verifies a bundle of the current services, unless another root is given. */
const verify = (bundle: unknown, root: unknown = sigstore.root, isCurrent = true) =>
  createAttestationVerifier({ root, isCurrent })(bundle, subject);

const invalid = (reason: RegExp) => ({ outcome: 'invalid', reason: expect.stringMatching(reason) });

describe('a valid attestation', () => {
  it('shows the origin of the build that the certificate names', async () => {
    const bundle = toBundle(await sigstore.attest(statement));

    expect(verify(bundle)).toEqual({
      outcome: 'verified',
      origin: {
        source_repository: claims[12],
        commit: claims[13],
        workflow: claims[18],
        builder: claims[9],
        issuer: claims[8],
      },
    });
  });

  it.each([
    [{ invocation: { configSource: { uri: 'git+https://github.com/Acme/tool@refs/tags/v1' } } }],
    [
      {
        buildDefinition: {
          externalParameters: { workflow: { repository: 'https://github.com/acme/tool' } },
        },
      },
    ],
  ])('may name the same repository in another spelling: %o', async (predicate) => {
    const bundle = toBundle(await sigstore.attest({ ...statement, predicate }));

    expect(verify(bundle)).toMatchObject({ outcome: 'verified' });
  });

  it('counts after the certificate expired, since the log shows when it was signed', async () => {
    const bundle = toBundle(await sigstore.attest(statement));
    vi.useFakeTimers({ now: Date.now() + 30 * 86_400_000, toFake: ['Date'] });

    expect(verify(bundle)).toMatchObject({ outcome: 'verified' });
  });

  it('shows no repository that is not a web address', async () => {
    const bundle = toBundle(
      await sigstore.attest(statement, { certified: { 12: 'javascript:alert(1)' } }),
    );

    expect(verify(bundle)).toMatchObject({
      outcome: 'verified',
      origin: { source_repository: null },
    });
  });
});

const flipByte = (base64: string, at: number): string => {
  const bytes = Buffer.from(base64, 'base64');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64');
};

describe('an invalid attestation', () => {
  it('has another content than the one that was signed', async () => {
    const bundle = toBundle(await sigstore.attest(statement));
    const { dsseEnvelope } = bundle;
    const text = Buffer.from(dsseEnvelope.payload, 'base64').toString();
    const payload = Buffer.from(text.replace(hex, hex.replace(/^./, 'f'))).toString('base64');

    expect(verify({ ...bundle, dsseEnvelope: { ...dsseEnvelope, payload } })).toEqual(
      invalid(/log is not of its content/),
    );
  });

  it('has a flipped byte in the signature', async () => {
    const bundle = toBundle(await sigstore.attest(statement));
    const [{ sig } = { sig: '' }] = bundle.dsseEnvelope.signatures;
    const signatures = [{ sig: flipByte(sig, 20) }];

    expect(verify({ ...bundle, dsseEnvelope: { ...bundle.dsseEnvelope, signatures } })).toEqual(
      invalid(/log is not of its content/),
    );
  });

  it.each([10, 100, 300, 500])('has a flipped byte in the certificate, at %d', async (at) => {
    const bundle = toBundle(await sigstore.attest(statement));
    const { certificate } = bundle.verificationMaterial;
    const verificationMaterial = {
      ...bundle.verificationMaterial,
      certificate: { rawBytes: flipByte(certificate.rawBytes, at) },
    };

    expect(verify({ ...bundle, verificationMaterial })).toMatchObject({ outcome: 'invalid' });
  });

  it('is about a file with another digest', async () => {
    const digest = { sha512: createHash('sha512').update('another tarball').digest('hex') };
    const bundle = toBundle(await sigstore.attest({ ...statement, subject: [{ name, digest }] }));

    expect(verify(bundle)).toEqual(invalid(/about another file/));
  });

  it.each([
    [[{ name: 'pkg:npm/other@1.0.0', digest: { sha512: hex } }]],
    [[{ name, digest: { sha256: hex } }]],
    [
      [
        { name, digest: { sha512: hex } },
        { name, digest: { sha512: hex } },
      ],
    ],
    [[]],
  ])('is about another subject: %o', async (other) => {
    const bundle = toBundle(await sigstore.attest({ ...statement, subject: other }));

    expect(verify(bundle)).toEqual(invalid(/about another file/));
  });

  it('was signed after the certificate expired', async () => {
    const loggedAt = new Date(Date.now() + 20 * 60_000);
    const bundle = toBundle(await sigstore.attest(statement, { loggedAt }));

    expect(verify(bundle)).toEqual(invalid(/certificate of the signer/));
  });

  it('is certified by services of another root', async () => {
    const other = await startSigstore();
    const bundle = toBundle(await other.attest(statement));

    expect(verify(bundle)).toEqual(invalid(/certificate of the signer/));
    expect(verify(bundle, releasedRoot)).toMatchObject({ outcome: 'invalid' });
  });

  it('is in another transparency log', async () => {
    const bundle = toBundle(await sigstore.attest(statement, { isForeignLog: true }));

    expect(verify(bundle)).toEqual(invalid(/log did not confirm/));
  });

  it('has the log entry of another attestation', async () => {
    const [one, other] = [await sigstore.attest(statement), await sigstore.attest(statement)];

    expect(verify(toBundle({ ...one, entry: other.entry }))).toEqual(
      invalid(/log is not of its content/),
    );
  });

  it('is in no transparency log', async () => {
    const bundle = toBundle(await sigstore.attest(statement));
    const verificationMaterial = { ...bundle.verificationMaterial, tlogEntries: [] };

    expect(verify({ ...bundle, verificationMaterial })).toMatchObject({ outcome: 'invalid' });
  });

  it.each([
    ['one of another owner', 'git+https://github.com/evil/tool@refs/heads/main'],
    ['a very long one', `https://github.com/acme/tool.evil${'@'.repeat(5000)}`],
  ])('names another source repository than its certificate: %s', async (_, uri) => {
    const predicate = { invocation: { configSource: { uri } } };
    const bundle = toBundle(await sigstore.attest({ ...statement, predicate }));

    expect(verify(bundle)).toEqual(invalid(/another source repository/));
  });

  it.each([
    ['an empty bundle', {}],
    ['a bundle without content', { verificationMaterial: { tlogEntries: [] } }],
    ['a bundle of a message', { messageSignature: {}, verificationMaterial: {} }],
  ])('is malformed: %s', (_, rest) => {
    const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

    expect(verify({ mediaType, ...rest })).toMatchObject({ outcome: 'invalid' });
  });
});

describe('an attestation that cannot be checked', () => {
  it('is of services that an outdated root may lack', async () => {
    const other = await startSigstore();
    const bundle = toBundle(await other.attest(statement));

    expect(verify(bundle, sigstore.root, false)).toEqual({
      outcome: 'unchecked',
      reason: expect.stringContaining('outdated'),
    });
  });

  it('is still invalid if its content is another one', async () => {
    const [one, other] = [await sigstore.attest(statement), await sigstore.attest(statement)];

    expect(
      verify(toBundle({ ...one, payload: other.payload.fill(32) }), sigstore.root, false),
    ).toMatchObject({ outcome: 'invalid' });
  });

  it.each([[undefined], ['text'], [{ mediaType: 'application/vnd.dev.sigstore.bundle.v9+json' }]])(
    'is a bundle of an unknown format: %o',
    (bundle) => {
      expect(verify(bundle)).toMatchObject({ outcome: 'unchecked' });
    },
  );

  it('is no provenance', async () => {
    const predicateType = 'https://github.com/npm/attestation/tree/main/specs/publish/v0.1';
    const bundle = toBundle(await sigstore.attest({ ...statement, predicateType }));

    expect(verify(bundle)).toEqual({ outcome: 'other' });
  });
});

it('leaves a mere signature of a file uncounted, since only images have them', async () => {
  const signed = { ...statement, predicateType: 'https://sigstore.dev/cosign/sign/v1' };

  expect(verify(toBundle(await sigstore.attest(signed)))).toEqual({ outcome: 'other' });
});
