import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../../shared/domain/facts/manifest.ts';
import { byEcosystem, ecosystems } from '../../../../shared/ecosystems/ecosystem.ts';
import { createOriginClient } from '../../../../shared/ecosystems/origin-client.ts';
import { judgeAttestations } from '../../../../shared/ecosystems/provenance/judge-attestations.ts';
import { createAttestationVerifier } from '../../../../shared/ecosystems/provenance/verify-attestation.ts';
import { type Fault, type OciRegistry, startOciRegistry } from '../../../support/oci-registry.ts';
import {
  type AttestedStatement,
  claims,
  type Sigstore,
  startSigstore,
  toBundle,
} from '../../../support/sigstore.ts';

const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const signType = 'https://sigstore.dev/cosign/sign/v1';
const slsaType = 'https://slsa.dev/provenance/v1';
const id = { ecosystem: 'docker', name: 'registry.example.com/acme/shop', version: '2.0' } as const;

type RegistryOptions = NonNullable<Parameters<typeof startOciRegistry>[0]>;
type AttestOptions = Parameters<Sigstore['attest']>[1];

let sigstore: Sigstore;
let registry: OciRegistry;
/** Digest of the index. */
let digest: string;

const start = async (options: RegistryOptions = {}): Promise<void> => {
  await registry?.close();
  registry = await startOciRegistry(options);
  const image = registry.pushImage('acme/shop');
  const entries = [{ digest: image, platform: 'linux/amd64' }];
  digest = registry.pushIndex('acme/shop', entries, { tag: '2.0' });
};

beforeAll(async () => {
  sigstore = await startSigstore();
});
beforeEach(() => start({ auth: 'bearer' }));
afterEach(() => registry.close());

const open = () =>
  createOriginClient({
    addresses: byEcosystem(ecosystems, () => registry.url),
    imageRegistries: [{ host: 'registry.example.com', url: registry.url }],
    ...{ timeoutMs: 20_000, backoffMs: 1 },
  });

const toStatement = (predicateType: string, of = digest): AttestedStatement => ({
  predicateType,
  subject: [{ name: 'free text', digest: { sha256: of.replace('sha256:', '') } }],
});

const makeBundle = async (
  predicateType = slsaType,
  options?: AttestOptions,
  statement: Partial<AttestedStatement> = {},
) => toBundle(await sigstore.attest({ ...toStatement(predicateType), ...statement }, options));

const attach = (bundle: object | string, predicateType?: string, of = digest): string =>
  registry.addReferrer('acme/shop', of, {
    artifactType: bundleType,
    bytes: typeof bundle === 'string' ? bundle : JSON.stringify(bundle),
    ...(predicateType && { annotations: { 'dev.sigstore.bundle.predicateType': predicateType } }),
  });

const manifestOf = (pinned: string): Manifest => ({ kind: 'docker', digest: pinned, images: [] });

/** Fetches and checks what is attached to the image, as the worker does. */
const check = async (root: unknown = sigstore.root, isCurrent = true) =>
  judgeAttestations(
    await open().fetchAttestations(id, manifestOf(digest)),
    createAttestationVerifier({ root, isCurrent }),
  );

/** True if upstream says that the image has attestations; null if it does not say it. */
const findProvenance = async (): Promise<boolean | null> =>
  (await open().collectFacts(id)).facts.provenance;

describe('the provenance of an image', () => {
  it.each([true, false])('is verified, with the API of referrers: %s', async (hasReferrersApi) => {
    await start({ auth: 'bearer', hasReferrersApi });
    attach(await makeBundle());

    expect(await check()).toEqual({
      status: 'verified',
      source_repository: claims[12],
      commit: claims[13],
      workflow: claims[18],
      builder: claims[9],
      issuer: claims[8],
      reason: null,
    });
    expect(await findProvenance()).toBe(true);
  });

  it('is read from an image of one platform', async () => {
    digest = registry.pushImage('acme/shop', { tag: 'single' });
    attach(await makeBundle());

    expect(await check()).toMatchObject({ status: 'verified' });
  });

  it('is read from several pages', async () => {
    await start({ pageSize: 1 });
    for (const n of [1, 2, 3]) {
      registry.addReferrer('acme/shop', digest, { artifactType: 'text/plain', bytes: `${n}` });
    }
    attach(await makeBundle());

    expect(await check()).toMatchObject({ status: 'verified', reason: null });
  });

  it('is preferred to mere signatures, of which there are many', async () => {
    for (let n = 0; n < 12; n += 1) attach(await makeBundle(signType), signType);
    attach(await makeBundle(), slsaType);

    expect(await check()).toMatchObject({
      status: 'verified',
      commit: claims[13],
      reason: 'Only the first 8 attestations were checked.',
    });
  });

  it('ignores bundles about the contents of the image', async () => {
    attach(await makeBundle());
    attach('x'.repeat(2_000_000), 'https://spdx.dev/Document');

    expect(await check()).toMatchObject({ status: 'verified', reason: null });
  });
});

describe('a mere signature', () => {
  it('by a workflow is verified, and said to be no attestation of a build', async () => {
    attach(
      await makeBundle(signType, undefined, {
        subject: [{ name: '', digest: { sha256: digest.slice(7) } }],
      }),
    );

    expect(await check()).toMatchObject({
      status: 'verified',
      source_repository: claims[12],
      reason: expect.stringContaining('Only a signature by the workflow was verified'),
    });
  });

  it('by a person is no provenance', async () => {
    attach(await makeBundle(signType, { certified: { 12: '' } }));

    expect(await check()).toMatchObject({
      status: 'present',
      source_repository: null,
      reason: expect.stringMatching(/^It is signed by https.*, which shows no build\.$/),
    });
  });

  it('of another image is invalid', async () => {
    attach(toBundle(await sigstore.attest(toStatement(signType, `sha256:${'0'.repeat(64)}`))));

    expect(await check()).toMatchObject({ status: 'invalid' });
  });

  it('with a key says who signed to nobody', async () => {
    const { verificationMaterial, ...bundle } = await makeBundle(signType);
    const { tlogEntries } = verificationMaterial;
    attach({ ...bundle, verificationMaterial: { publicKey: { hint: 'x' }, tlogEntries } });

    expect(await check()).toMatchObject({
      status: 'present',
      reason: expect.stringContaining('signed with a key'),
    });
  });

  it.each(['sig', 'att'])('in the older format of cosign is present: .%s', async (ending) => {
    const tag = `${digest.replace(':', '-')}.${ending}`;
    registry.pushImage('acme/shop', { tag });

    expect(await findProvenance()).toBe(true);
    expect(await check()).toMatchObject({
      status: 'present',
      reason: expect.stringContaining('older format of cosign'),
    });
  });
});

describe('an invalid attestation', () => {
  it('has a flipped byte', async () => {
    const bundle = await makeBundle();
    const [{ sig } = { sig: '' }] = bundle.dsseEnvelope.signatures;
    const bytes = Buffer.from(sig, 'base64');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    const signatures = [{ sig: bytes.toString('base64') }];
    attach({ ...bundle, dsseEnvelope: { ...bundle.dsseEnvelope, signatures } });

    expect(await check()).toMatchObject({ status: 'invalid', source_repository: null });
  });

  it('is about another digest, also beside a valid one', async () => {
    attach(await makeBundle());
    attach(toBundle(await sigstore.attest(toStatement(slsaType, `sha256:${'0'.repeat(64)}`))));

    expect(await check()).toMatchObject({
      status: 'invalid',
      reason: 'it is about another file.',
    });
  });

  it('was signed after its certificate expired', async () => {
    attach(await makeBundle(slsaType, { loggedAt: new Date(Date.now() + 86_400_000) }));

    expect(await check()).toMatchObject({ status: 'invalid' });
  });

  it('is of another trusted root, unless ours may be outdated', async () => {
    attach(await makeBundle());
    const other = await startSigstore();

    expect(await check(other.root)).toMatchObject({ status: 'invalid' });
    expect(await check(other.root, false)).toMatchObject({ status: 'present' });
  });

  it('names another source repository than its certificate', async () => {
    const predicate = { invocation: { configSource: { uri: 'git+https://github.com/evil/tool' } } };
    attach(await makeBundle(slsaType, undefined, { predicate }));

    expect(await check()).toMatchObject({
      status: 'invalid',
      reason: expect.stringContaining('another source repository'),
    });
  });
});

describe('an image without signed attestations', () => {
  it('has none', async () => {
    expect(await findProvenance()).toBe(false);
  });

  it('may have unsigned ones of BuildKit', async () => {
    const entries = [
      { digest: registry.pushImage('acme/shop'), platform: 'linux/amd64' },
      {
        digest: registry.pushImage('acme/shop', { platform: 'unknown/unknown' }),
        platform: 'unknown/unknown',
        annotations: { 'vnd.docker.reference.type': 'attestation-manifest' },
      },
    ];
    digest = registry.pushIndex('acme/shop', entries, { tag: '2.0' });

    expect(await findProvenance()).toBe(true);
    expect(await check()).toMatchObject({
      status: 'present',
      reason: expect.stringContaining('are not signed'),
    });
  });

  it('gets them after its push', async () => {
    const first = await open().collectFacts(id);
    if (first.outcome === 'failed') throw new Error(`${first.facts.reason}`);
    attach(await makeBundle());

    const next = await open().collectFacts(id, first);

    expect([first.facts.provenance, next.facts.provenance]).toEqual([false, true]);
    expect(next.manifest).toEqual(first.manifest);
  });
});

describe('a hostile registry', () => {
  const answerWith =
    (body: string, headers: Readonly<Record<string, string>> = {}): Fault =>
    (_, response) =>
      void response.writeHead(200, headers).end(body);

  it('that fails at referrers leaves them unknown, and the image known', async () => {
    registry.setFault(/\/referrers\//, (_, response) => void response.writeHead(400).end());

    const { facts } = await open().collectFacts(id);

    expect(facts).toMatchObject({ found: 'yes', provenance: null });
    expect(await check()).toMatchObject({ status: 'present' });
  });

  it('lists pages without an end', async () => {
    let pages = 0;
    registry.setFault(/\/referrers\//, (request, response) => {
      pages += 1;
      const { pathname } = new URL(request.url ?? '', registry.url);
      const headers = { Link: `<${pathname}?last=${pages}>; rel="next"` };
      response.writeHead(200, headers).end('{"manifests":[]}');
    });

    expect(await findProvenance()).toBeNull();
    expect(pages).toBe(5);
  });

  it.each([
    ['another host', 'http://127.0.0.1:9/v2/acme/shop/referrers/x'],
    ['another list', '/v2/acme/shop/tags/list'],
  ])('names a next page of %s, which is not requested', async (_, target) => {
    const headers = { Link: `<${target}>; rel="next"` };
    registry.setFault(/\/referrers\//, answerWith('{"manifests":[]}', headers));

    expect(await findProvenance()).toBeNull();
    expect(registry.requests.filter(({ path }) => path === target)).toEqual([]);
  });

  it.each([
    ['a web page', '<html>'],
    ['JSON without a list', '{"manifests":7}'],
    ['too much', ' '.repeat(1_100_000)],
  ])('answers with %s', async (_, body) => {
    registry.setFault(/\/referrers\//, answerWith(body));

    expect(await findProvenance()).toBeNull();
    expect(await check()).toMatchObject({ status: 'present', source_repository: null });
  });

  it.each([
    ['digest', { digest: `sha256:${'1'.repeat(64)}` }, /does not have/],
    ['size', { size: 3 }, /and not 3/],
  ])('lies about the %s of an artifact', async (_, lie, reason) => {
    const artifact = attach(await makeBundle());
    const entry = {
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      artifactType: bundleType,
    };
    const manifests = [{ ...entry, digest: artifact, ...lie }];
    registry.setFault(/\/referrers\//, answerWith(JSON.stringify({ manifests })));

    expect(await check()).toMatchObject({
      status: 'present',
      reason: expect.stringMatching(reason),
    });
  });

  it('has another content under the digest of an artifact', async () => {
    const artifact = attach(await makeBundle());
    const type = 'application/vnd.oci.image.manifest.v1+json';
    const other = JSON.stringify({ schemaVersion: 2, mediaType: type, config: {}, layers: [] });
    registry.setFault(new RegExp(artifact), answerWith(other, { 'Content-Type': type }));

    expect(await check()).toMatchObject({
      status: 'present',
      reason: expect.stringContaining('other content'),
    });
  });

  it('has a bundle with another content', async () => {
    attach(await makeBundle());
    registry.setFault(/\/blobs\//, answerWith('{}'));

    expect(await check()).toMatchObject({
      status: 'present',
      reason: expect.stringContaining('other content'),
    });
  });

  it('lies about the size of a bundle', async () => {
    const type = 'application/vnd.oci.image.manifest.v1+json';
    const bytes = JSON.stringify(await makeBundle());
    const layer = { mediaType: bundleType, digest: registry.pushBlob('acme/shop', bytes), size: 7 };
    registry.pushManifest('acme/shop', {
      ...{ schemaVersion: 2, mediaType: type, artifactType: bundleType, config: {} },
      ...{ layers: [layer], subject: { mediaType: type, digest, size: 1 } },
    });

    expect(await check()).toMatchObject({
      status: 'present',
      reason: expect.stringContaining('and not 7 as announced'),
    });
  });

  it('has a bundle that is too large, or no JSON', async () => {
    attach('x'.repeat(1_100_000));
    expect(await check()).toMatchObject({ status: 'present' });

    await start();
    attach('{');
    expect(await check()).toMatchObject({ status: 'present' });
  });

  it('does not verify the rest if a bundle is missing', async () => {
    attach(await makeBundle());
    attach('x'.repeat(1_100_000));

    expect(await check()).toMatchObject({ status: 'present', source_repository: null });
  });

  it('lists an artifact of another image', async () => {
    const other = registry.pushImage('acme/shop', { platform: 'linux/arm64' });
    const artifact = attach(await makeBundle(), undefined, other);
    const manifests = [{ digest: artifact, artifactType: bundleType }];
    registry.setFault(/\/referrers\//, answerWith(JSON.stringify({ manifests })));

    expect(await check()).toMatchObject({
      status: 'present',
      reason: expect.stringContaining('attached to another image'),
    });
  });
});
