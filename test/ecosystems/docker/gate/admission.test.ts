import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pinImage } from '../../../support/pin-image.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';

const path = '/api/v1/kubernetes/admission';
const digest = `sha256:${'a'.repeat(64)}`;
/** What the approval of each tag pinned. */
const pinned = `sha256:${'b'.repeat(64)}`;
const ofArm = `sha256:${'c'.repeat(64)}`;
const moved = `sha256:${'d'.repeat(64)}`;
const nginx = `nginx:1.27.3@${pinned}`;
const platform = { platform: 'linux/arm64', digest: ofArm, size: null };

let registry: TestRegistry;

const approve = async (name: string, version: string): Promise<void> => {
  await registry.submit({ ecosystem: 'docker', name, version });
  await registry.post(`${packagePath(name, '/approve')}?version=${version}`);
};

const approvePinned = async (name: string, version: string): Promise<void> => {
  await approve(name, version);
  await pinImage(registry, { name, version }, pinned, [platform]);
};

beforeAll(async () => {
  registry = await TestRegistry.start();
  for (const [name, version] of [
    ['nginx', '1.27.3'],
    ['redis', 'latest'],
    ['ghcr.io/acme/shop', '2.0'],
    ['localhost/shop', '2.0'],
  ] as const) {
    await approvePinned(name, version);
  }
  await approve('registry.example.com:5000/acme/shop', digest);
  await approve('unknown', '1.0');
  await registry.submit({ ecosystem: 'docker', name: 'nginx', version: '1.27.4' });
});
afterAll(() => registry.close());

const review = (object: object | null, more: object = {}) => ({
  ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
  request: {
    ...{ uid: 'u-1', operation: 'CREATE', dryRun: false, userInfo: { username: 'ana' } },
    ...{ object, oldObject: null },
    ...more,
  },
});
const pod = (spec: object) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'shop', labels: { a: 'b' } } },
  spec: { nodeName: 'n', ...spec },
});
const running = (...images: readonly string[]) =>
  pod({ containers: images.map((image, at) => ({ name: `c-${at}`, image })) });

const failedReport = {
  tool: 'a-scanner',
  vulnerabilities: [{ id: 'CVE-2021-44228', severity: 'critical' }],
};

const admit = async (object: object | null, more: object = {}) => {
  const { status, body } = await registry.post(`${path}?timeout=10s`, review(object, more));
  expect(status).toBe(200);
  const { apiVersion, kind, response } = body;
  expect({ apiVersion, kind }).toEqual({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
  });
  expect(response.uid).toBe('u-1');
  return response;
};

describe('a pod', () => {
  it.each([
    [nginx],
    [`nginx:1.27.3@${ofArm}`],
    [`docker.io/library/nginx:1.27.3@${pinned}`],
    [`index.docker.io/library/nginx:1.27.3@${pinned}`],
    [`registry.example.com:5000/acme/shop@${digest}`],
    [`registry.example.com:5000/acme/shop:2.0@${digest}`],
    [`redis:latest@${pinned}`],
    [`ghcr.io/acme/shop:2.0@${pinned}`],
    [`localhost/shop:2.0@${pinned}`],
  ])('may run %s, which is approved', async (image) => {
    expect(await admit(running(image))).toEqual({ uid: 'u-1', allowed: true });
  });

  it.each([
    ['nginx:1.27.4', 'docker:nginx@1.27.4 waits for review; approved: 1.27.3'],
    ['nginx', 'docker:nginx@latest was never submitted for review; approved: 1.27.3'],
    [`nginx@${pinned}`, `docker:nginx@${pinned} was never submitted for review`],
    [`nginx:1.27.4@${digest}`, `docker:nginx@${digest} was never submitted for review`],
    [`unknown:1.0@${digest}`, `docker:unknown@${digest} was never submitted for review`],
    [
      `docker.io/nginx:1.27.3@${moved}`,
      `The pod has ${moved} for docker:docker.io/nginx@1.27.3, whose approval pinned ${pinned}: write docker.io/nginx:1.27.3@${pinned} for the approved image, or submit this one for review: registry submit docker:docker.io/nginx@${moved}`,
    ],
    [
      'nginx:1.27.3',
      `docker:nginx@1.27.3 is approved, but a tag can name another image by now. Its approval pinned ${pinned}: write nginx:1.27.3@${pinned}, or install the mutating webhook of docs/kubernetes.md, which writes it`,
    ],
    ['redis', `write redis:latest@${pinned}, or install`],
    [
      'unknown:1.0',
      'docker:unknown@1.0 is approved, but a tag can name another image by now, and its approval pinned no digest: the registry has no upstream metadata of it. Submit the digest itself: registry submit docker:unknown@sha256:DIGEST',
    ],
    [
      'docker.io/ghcr.io/acme/shop:2.0',
      'docker:docker.io/ghcr.io/acme/shop@2.0 was never submitted',
    ],
    [
      'index.docker.io/ghcr.io/acme/shop:2.0',
      'docker:index.docker.io/ghcr.io/acme/shop@2.0 was never submitted',
    ],
    ['docker.io/localhost/shop:2.0', 'docker:docker.io/localhost/shop@2.0 was never submitted'],
    [
      'Not An Image',
      '"Not An Image" is no image reference that the registry reads: write NAME:TAG@sha256:DIGEST',
    ],
    [
      'nginx@1.27.3',
      '"nginx@1.27.3" is no image reference that the registry reads: write NAME:TAG@sha256:DIGEST',
    ],
    ['nginx:evil@1.27.3', 'is no image reference'],
    [`nginx:1.27.3@${digest}@${digest}`, 'is no image reference'],
    [`nginx:@${pinned}`, 'is no image reference'],
    [`nginx@sha512:${'0'.repeat(128)}`, 'is no image reference'],
    ['', '"" is no image reference'],
    ['0'.repeat(64), `docker:${'0'.repeat(64)}@latest was never submitted`],
    [digest, `docker:sha256@${'a'.repeat(64)} was never submitted`],
    [`GHCR/acme/shop:2.0@${pinned}`, 'is no image reference'],
    [`[::1]:5000/shop:2.0@${pinned}`, 'is no image reference'],
    [` nginx:1.27.3@${pinned}`, 'is no image reference'],
    [`nginx:1.27.3@${pinned}\n`, 'is no image reference'],
    [`nginx:1.27.3@sha256:${'B'.repeat(64)}`, 'is no image reference'],
    [`n\u0261inx:1.27.3@${pinned}`, 'is no image reference'],
    [`other/nginx:1.27.3@${pinned}`, `docker:other/nginx@${pinned} was never submitted`],
    [`nginx:5000/nginx:1.27.3@${pinned}`, `docker:nginx:5000/nginx@${pinned} was never`],
    [`nginx:.x@${pinned}`, 'is no image reference'],
    [
      'a\u001b[31m\nb\u202ec',
      '"a [31m bc" is no image reference that the registry reads: write NAME:TAG@sha256:DIGEST',
    ],
  ])('may not run %s, and is told why', async (image, why) => {
    const { allowed, status } = await admit(running(nginx, image));

    expect({ allowed, code: status.code }).toEqual({ allowed: false, code: 403 });
    expect(status.message).toContain(why);
  });

  it.each(['initContainers', 'ephemeralContainers'])('is held by its %s, too', async (kind) => {
    const { allowed } = await admit(
      pod({ containers: [{ image: nginx }], [kind]: [{ image: 'nginx:1.27.4' }] }),
    );

    expect(allowed).toBe(false);
  });

  it('is held by images that it mounts, too', async () => {
    const volumes = [{ name: 'a', image: { reference: 'nginx:1.27.4' } }, { name: 'b' }];

    expect((await admit(pod({ volumes }))).allowed).toBe(false);
  });

  it.each(['Deployment', 'StatefulSet', 'Job'])(
    'is held where a %s would make it, which may have an approved tag whose digest is known',
    async (kind) => {
      const make = (image: string) => ({
        kind,
        spec: { replicas: 2, template: { spec: { containers: [{ image }] } } },
      });
      const allows = async (image: string) => (await admit(make(image))).allowed;

      expect([await allows('nginx:1.27.3'), await allows(nginx)]).toEqual([true, true]);
      expect(await allows('nginx:1.27.4')).toBe(false);
      expect(await allows(`nginx:1.27.3@${moved}`)).toBe(false);
      expect((await admit(make('unknown:1.0'))).status.message).toContain('pinned no digest');
    },
  );

  it('may not run a digest that is rejected, under no tag, nor what creates it', async () => {
    await approvePinned('moving', '1.0');
    await registry.submit({ ecosystem: 'docker', name: 'moving', version: pinned });
    await registry.post(`${packagePath('moving', '/reject')}?version=${pinned}`, { reason: 'Bad' });
    const spec = { template: { spec: { containers: [{ image: 'moving:1.0' }] } } };
    const why = `docker:moving@${pinned} is rejected: Bad`;

    for (const object of [
      running(`moving:1.0@${pinned}`),
      running('moving:1.0'),
      { kind: 'Deployment', spec },
    ]) {
      const { allowed, status } = await admit(object);
      expect(allowed).toBe(false);
      expect(status.message).toContain(why);
    }
  });

  it('is held where a CronJob would make it, and refused in what nobody can look into', async () => {
    const template = { spec: { containers: [{ image: 'nginx:1.27.4' }] } };

    const job = await admit({ kind: 'CronJob', spec: { jobTemplate: { spec: { template } } } });
    const other = await admit({ kind: 'Rollout', spec: { workload: template } });

    expect([job.allowed, other.allowed]).toEqual([false, false]);
    expect(other.status.message).toBe(
      'The registry does not know where a Rollout has its images: remove this kind from the rules of the webhook, which reviews its pods',
    );
  });

  it('of which much is wrong is told of the first five', async () => {
    const images = Array.from({ length: 8 }, (_, at) => `never-${at}:1.0`);

    const { status } = await admit(running(...images));

    expect(status.message).toContain('docker:never-4@1.0 was never submitted');
    expect(status.message).toMatch(/and 3 more$/);
  });

  it('that runs may be changed, but to no image that is not approved', async () => {
    const update = { operation: 'UPDATE', oldObject: running('nginx:1.27.4') };

    expect(await admit(running('nginx:1.27.4'), update)).toEqual({ uid: 'u-1', allowed: true });
    expect((await admit(running('nginx:1.27.4', 'never:1.0'), update)).allowed).toBe(false);
  });

  it('keeps an old image in its place, and not in a new container, which would pull it again', async () => {
    const containers = [{ name: 'a', image: 'nginx:1.27.3' }];
    const update = { operation: 'UPDATE', oldObject: pod({ containers }) };
    const debug = pod({ containers, ephemeralContainers: [{ name: 'b', image: 'nginx:1.27.3' }] });

    expect((await admit(pod({ containers }), update)).allowed).toBe(true);
    expect((await admit(debug, update)).status.message).toContain('a tag can name another image');
  });

  it('may get its old images in another order from the controller that makes it', async () => {
    const make = (...images: readonly string[]) => ({
      kind: 'Deployment',
      spec: { template: { spec: { containers: images.map((image) => ({ image })) } } },
    });
    const update = { operation: 'UPDATE', oldObject: make('never:1.0', 'never:2.0') };

    expect((await admit(make('never:2.0', 'never:1.0'), update)).allowed).toBe(true);
  });

  it('is warned of an image with new issues, in 120 characters', async () => {
    const name = `acme/${'long/'.repeat(20)}shop`;
    for (const one of ['alpine', name]) {
      await approvePinned(one, '3');
      const scan = `/api/v1/security/scans/${encodeURIComponent(one)}?version=3`;
      const { status } = await registry.post(scan, failedReport);
      expect(status).toBe(201);
    }

    const { allowed, warnings } = await admit(
      running(`alpine:3@${pinned}`, `${name}:3@${pinned}`, nginx),
    );

    expect(allowed).toBe(true);
    expect(warnings).toEqual([
      `alpine:3@${pinned} is approved, but has new issues`,
      expect.stringMatching(/^acme\/long.*\.\.\. is approved, but has new issues$/),
    ]);
    expect(warnings[1]).toHaveLength(120);
  });

  it('may be deleted, or run nothing', async () => {
    expect((await admit(null)).allowed).toBe(true);
    expect((await admit(pod({}))).allowed).toBe(true);
  });

  it('may be as large as the API server sends it', async () => {
    const env = Array.from({ length: 20_000 }, (_, at) => ({
      name: `V${at}`,
      value: 'x'.repeat(80),
    }));
    const large = pod({ containers: [{ image: nginx, env }] });

    expect((await admit(large)).allowed).toBe(true);
  });
});

it.each([
  [{}, 'apiVersion'],
  [{ ...review(null), apiVersion: 'admission.k8s.io/v1beta1' }, 'admissionReviewVersions'],
  [{ ...review(null), request: {} }, 'request.uid'],
  [review({ spec: { containers: 'x' } }), 'request.object.spec.containers'],
])('refuses %j, which is no review', async (body, fault) => {
  const { status, body: problem } = await registry.post(path, body);

  expect([status, problem.code]).toEqual([400, 'validation_failed']);
  expect(problem.detail).toContain(fault);
});

describe('a review that is too much', () => {
  const many = running(...Array.from({ length: 60_000 }, (_, at) => `image-${at}:1`));
  const padding = 'x'.repeat(3 * 1024 * 1024);
  const large = pod({ containers: [{ image: nginx, env: [{ value: padding }] }] });
  const compress = (object: object) => gzipSync(JSON.stringify(review(object)));

  it.each([
    ['60,000 images', JSON.stringify(review(many)), 'names 60000 images'],
    ['60,000 images in a gzip', compress(many), 'names 60000 images'],
    ['too many bytes', JSON.stringify(review(large)), 'larger than 3145728 bytes'],
    ['too many bytes in a gzip', compress(large), 'larger than 3145728 bytes'],
    ['very many bytes in a gzip', compress(pod({ padding: padding.repeat(20) })), 'larger than'],
  ])('is refused by its uid, of %s', async (_, body, why) => {
    const { status, body: answer } = await registry.post(path, body);

    expect(status).toBe(200);
    expect(answer).toMatchObject({
      ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
      response: { uid: 'u-1', allowed: false, status: { code: 403 } },
    });
    expect(answer.response.status.message).toContain(why);
  });

  it.each([
    ['says its uid late', JSON.stringify({ padding, ...review(null) })],
    ['says another uid first', `{"object":{"request":{"uid":"u-2"}},"padding":"${padding}"}`],
    ['is no review', `[${'1,'.repeat(2_000_000)}1]`],
  ])('is an error where it %s', async (_, body) => {
    const { status, body: problem } = await registry.post(path, body);

    expect([status, problem.code]).toEqual([400, 'body_too_large']);
  });
});
