import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Attestation, KeySet } from '../../shared/api/schemas/attestation.ts';
import {
  attest,
  makeDecisionStatement,
  makeSigningPair,
  type SigningPair,
  tarball,
} from '../support/attestations.ts';
import { CommandLine } from '../support/command-line.ts';

let commandLine: CommandLine;
let pair: SigningPair;
beforeAll(() => {
  // No command here may need a registry.
  commandLine = CommandLine.install({ REGISTRY_URL: 'http://127.0.0.1:9' });
  pair = makeSigningPair();
});
afterAll(() => commandLine.remove());

const save = (base: string, content: unknown): void =>
  writeFileSync(
    join(commandLine.folder, base),
    content instanceof Uint8Array ? content : JSON.stringify(content),
  );

beforeEach(() => {
  save('attestation.json', attest(pair, makeDecisionStatement()));
  save('keys.json', { keys: [pair.key] });
  save('left-pad.tgz', tarball);
});

const verify = (...more: readonly string[]) =>
  commandLine.run(['verify', 'attestation.json', '--keys', 'keys.json', ...more]);

const withArtifact = ['--artifact', 'left-pad.tgz'];

/** Flips the lowest bit of the byte at a share of the length of bytes in base64. */
const flip = (text: string, share: number): string => {
  const bytes = Buffer.from(text, 'base64');
  const at = Math.floor(share * (bytes.length - 1));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64');
};

const shares = [0, 0.02, 0.1, 0.33, 0.5, 0.9, 1];

describe('verify', () => {
  it('shows the decision of a genuine statement', async () => {
    const { code, stdout, stderr } = await verify();

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`The signature is valid.

Package     npm:left-pad@1.3.0
Decision    approved
Decided at  2026-01-31T09:00:00Z
Decided by  ana@example.com (token security)
Reason      needed by the shop
Subjects    pkg:npm/left-pad@1.3.0
Key         ${pair.key.kid}
`);
  });

  it('compares files with the digests of the subjects', async () => {
    const { code, stdout } = await verify(...withArtifact, '--json');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      key: pair.key.kid,
      artifacts: [
        {
          file: 'left-pad.tgz',
          subject: 'pkg:npm/left-pad@1.3.0',
          algorithm: 'sha512',
          isWeak: false,
        },
      ],
      statement: makeDecisionStatement(),
    });
  });

  it('takes several keys, and several files', async () => {
    save('keys.json', { keys: [makeSigningPair().key, pair.key] });

    const { code } = await verify(...withArtifact, ...withArtifact);

    expect(code).toBe(0);
  });

  it('warns about a digest that can be forged', async () => {
    const sha1 = createHash('sha1').update(tarball).digest('hex');
    save('attestation.json', attest(pair, makeDecisionStatement({}, { sha1 })));

    const { code, stderr } = await verify(...withArtifact);

    expect(code).toBe(0);
    expect(stderr).toBe('warning: left-pad.tgz was compared by sha1 alone, which is weak\n');
  });
});

describe('verify with more flags', () => {
  it.each(['npm:left-pad@1.3.0', 'pkg:npm/left-pad@1.3.0'])(
    'checks the package %s',
    async (name) => {
      expect((await verify('--package', name)).code).toBe(0);
    },
  );

  it('knows a package in another spelling', async () => {
    const statement = makeDecisionStatement({
      ...{ ecosystem: 'pypi', name: 'Zope.Interface', version: '6.0' },
    });
    save('attestation.json', attest(pair, statement));

    expect((await verify('--package', 'pypi:zope-interface@6')).code).toBe(0);
  });

  it.each(['npm:left-pad@1.3.1', 'npm:right-pad@1.3.0', 'pypi:left-pad@1.3.0'])(
    'refuses the statement of another package than %s',
    async (name) => {
      const { code, stderr } = await verify('--package', name);

      expect(code).toBe(1);
      expect(stderr).toContain(
        `The statement is genuine, but it is about npm:left-pad@1.3.0, and not about ${name}.`,
      );
    },
  );

  it('refuses a package without a version', async () => {
    expect((await verify('--package', 'npm:left-pad')).code).toBe(2);
  });

  it('says that a later decision may have replaced an approval', async () => {
    const { code, stderr } = await verify('--approved');

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'A later decision may have replaced it: request the attestation again.\n',
    });
    expect((await verify('--approved', '--json')).stderr).toBe('');
  });

  it('ignores further members of keys, as RFC 7517 requires', async () => {
    save('keys.json', { keys: [{ ...pair.key, key_ops: ['verify'], x5t: 'a' }], issuer: 'b' });

    expect((await verify()).code).toBe(0);
  });

  it('names the wrong field of a key', async () => {
    save('keys.json', { keys: [{ ...pair.key, crv: 'P-384' }] });

    const { code, stderr } = await verify();

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: keys\.json has a wrong key: keys\.0\.crv: .*"P-256"\. Save them with registry keys --json\.\n/,
    );
  });
});

describe('verify refuses', () => {
  /** Verifies a changed attestation. */
  const verifyChanged = (change: (genuine: Attestation) => unknown) => {
    save('attestation.json', change(attest(pair, makeDecisionStatement())));
    return verify();
  };

  it('each changed byte of the payload', async () => {
    for (const share of shares) {
      const { code, stderr } = await verifyChanged((genuine) => ({
        ...genuine,
        payload: flip(genuine.payload, share),
      }));

      expect({ code, stderr }).toEqual({
        code: 1,
        stderr:
          'error: The signature does not match the statement: one of them was changed or forged.\nDo not trust it.\n',
      });
    }
  });

  it('each changed byte of the signature', async () => {
    for (const share of shares) {
      const { code, stderr } = await verifyChanged((genuine) => ({
        ...genuine,
        signatures: genuine.signatures.map((one) => ({ ...one, sig: flip(one.sig, share) })),
      }));

      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: The signature does not match/);
    }
  });

  it('a statement that another key signed', async () => {
    save('attestation.json', attest(makeSigningPair(), makeDecisionStatement()));

    const { code, stderr } = await verify();

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: No trusted key signed the statement\. It names \S+; the /);
  });

  it('a forged statement under the id of a trusted key', async () => {
    const forger = makeSigningPair();
    const forged = attest(forger, makeDecisionStatement());
    const { kid } = pair.key;
    const signatures = forged.signatures.map((one) => ({ ...one, keyid: kid }));
    save('attestation.json', { ...forged, signatures });

    const { code, stderr } = await verify();

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The signature does not match/);
  });

  it('a list of keys that gives a key the id of another one', async () => {
    const forger = makeSigningPair();
    const forged = attest(forger, makeDecisionStatement());
    const { kid } = pair.key;
    const signatures = forged.signatures.map((one) => ({ ...one, keyid: kid }));
    save('attestation.json', { ...forged, signatures });
    save('keys.json', { keys: [{ ...forger.key, kid }] } satisfies KeySet);

    const { code, stderr } = await verify();

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: No trusted key signed the statement/);
  });

  it('a changed key', async () => {
    const x = Buffer.from(pair.key.x, 'base64url');
    x[5] = (x[5] ?? 0) ^ 1;
    save('keys.json', { keys: [{ ...pair.key, x: x.toString('base64url') }] });

    const { code, stderr } = await verify();

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: No trusted key signed the statement/);
  });

  it.each([
    ['another type of payload', (one: Attestation) => ({ ...one, payloadType: 'text/plain' })],
    ['no signature', ({ signatures: _, ...one }: Attestation) => one],
    ['a key of its own', (one: Attestation) => ({ ...one, keys: [pair.key] })],
    ['text that is no base64', (one: Attestation) => ({ ...one, payload: '{}' })],
    ['a list', (one: Attestation) => [one]],
  ])('an envelope with %s', async (_, change) => {
    const { code, stderr } = await verifyChanged(change);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The file is no signed decision: /);
  });

  it.each([
    ['of another type', { ...makeDecisionStatement(), _type: 'https://example.com/Statement' }],
    [
      'with another predicate',
      { ...makeDecisionStatement(), predicateType: 'https://slsa.dev/provenance/v1' },
    ],
    ['that is no JSON object', 'approved'],
  ])('a signed statement %s', async (_, statement) => {
    save('attestation.json', attest(pair, statement));

    const { code, stderr } = await verify();

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The signature is valid, but the statement is no decision /);
  });

  it('a changed file', async () => {
    save('left-pad.tgz', Buffer.from('the tarball of left-pad!'));

    const { code, stderr } = await verify(...withArtifact);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: The statement does not cover left-pad\.tgz: no subject has its digest, sha256:[0-9a-f]{64}\.\nDo not use the file: /,
    );
  });

  it('a changed digest of a subject', async () => {
    const sha512 = createHash('sha512').update('another tarball').digest('hex');
    const sha256 = createHash('sha256').update(tarball).digest('hex');
    save('attestation.json', attest(pair, makeDecisionStatement({}, { sha256, sha512 })));

    const { code } = await verify(...withArtifact);

    expect(code).toBe(1);
  });

  it('a file, if the statement has no digests of files', async () => {
    save('attestation.json', attest(pair, makeDecisionStatement({}, { purlSha256: 'ab' })));

    const { code, stderr } = await verify(...withArtifact);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The statement has no digests of files/);
  });

  it.each([
    ['a rejection', { type: 'package.rejected', to: 'rejected' }, /was rejected\.\n$/],
    [
      'an expired approval',
      { expires_at: '2026-02-01T00:00:00.000Z' },
      /expired on 2026-02-01T00:00:00.000Z\.\n$/,
    ],
  ] as const)('%s with --approved', async (_, changes, said) => {
    save('attestation.json', attest(pair, makeDecisionStatement(changes)));

    const { code, stderr } = await verify('--approved');

    expect(code).toBe(1);
    expect(stderr).toMatch(said);
    expect((await verify()).code).toBe(0);
  });

  it('to trust a key that nobody named', async () => {
    const { code, stderr } = await commandLine.run(['verify', 'attestation.json']);

    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: Name the public keys that you trust: --keys keys\.json\. /);
  });

  it.each([
    ['without a key', { keys: [] }],
    ['that is the statement itself', attest(makeSigningPair(), makeDecisionStatement())],
  ])('a file of keys %s', async (_, content) => {
    save('keys.json', content);

    const { code, stderr } = await verify();

    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: keys\.json has no public keys\. /);
  });
});
