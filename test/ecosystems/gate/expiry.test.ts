import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { admitPod } from '../../../shared/ecosystems/docker/gate/admit-pod.ts';
import { pinImages } from '../../../shared/ecosystems/docker/gate/pin-images.ts';
import { serveMaven } from '../../../shared/ecosystems/maven/gate/serve-maven.ts';
import { serveNpm } from '../../../shared/ecosystems/npm/gate/serve-npm.ts';
import { servePypi } from '../../../shared/ecosystems/pypi/gate/serve-pypi.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { makePom, maven, publish, tell } from '../../storage/poms/leaning-versions.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { approveWith, decide, learn } from './keep.ts';

const origin = 'https://registry.example.com';
const inquiries = { isScanning: true, isCollectingFacts: true };
const files = { origin, isSpread: false, places: [] };
const end = new Date(Date.now() + 3_600_000);
const justBefore = new Date(end.getTime() - 1);

const expire = (id: PackageId) => decide(id, 'approved', { expires_at: end.toISOString() });

const npm = (name: string, version: string) => ({ ecosystem: 'npm', name, version }) as const;
const npmSays = (name: string, version: string, more: object = {}): Manifest => {
  const tarball = `${origin}/${name}/-/${name}-${version}.tgz`;
  const dist = { tarball, integrity: 'sha512-AAAA' };
  return { kind: 'npm', version: { name, version, dist, ...more } };
};

const pypi = (version: string) => ({ ecosystem: 'pypi', name: 'lib', version }) as const;
const pypiSays = (version: string): Manifest => {
  const filename = `lib-${version}.tar.gz`;
  return {
    kind: 'pypi',
    files: [{ filename, url: `${origin}/${filename}`, hashes: { sha256: 'aa' } }],
  };
};

const fillNpm = async (): Promise<void> => {
  const optionalDependencies = { native: '^1.0.0' };
  await approveWith(npm('lib', '1.0.0'), npmSays('lib', '1.0.0', { optionalDependencies }));
  for (const [name, version] of [
    ['lib', '2.0.0'],
    ['native', '1.0.0'],
  ] as const) {
    await approveWith(npm(name, version), npmSays(name, version));
    await expire(npm(name, version));
  }
};

const fillPypi = async (): Promise<void> => {
  for (const version of ['1.0', '2.0']) await approveWith(pypi(version), pypiSays(version));
  await expire(pypi('2.0'));
};

const fillMaven = async (): Promise<void> => {
  for (const version of ['1.0', '2.0']) {
    const checksums = { sha1: version.repeat(10) };
    const parents = [makePom('org.acme:parent:7')];
    await publish(maven('lib', version), {
      files: ['.jar', '.pom'].map((suffix) => ({ name: `lib-${version}${suffix}`, checksums })),
      parents,
    });
  }
  await expire(maven('lib', '2.0'));
  for (const version of ['1.0', '2.0']) await tell(maven('lib', version));
};

const imageDigest = `sha256:${'a'.repeat(64)}`;

const fillDocker = async (): Promise<void> => {
  const id = { ecosystem: 'docker', name: 'nginx', version: '1.27.3' } as const;
  await submitPackage(id, writeContext());
  await learn(id, { kind: 'docker', digest: imageDigest, images: [] });
  await expire(id);
};

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  await fillNpm();
  await fillPypi();
  await fillMaven();
  await fillDocker();
});
afterAll(() => engine.close());

const base = 'https://gate.example.com';
const askNpm = (path: string, now: Date) =>
  serveNpm(path, { base, files, own: [], freeze: undefined, inquiries, now });
const askPypi = (path: string, now: Date) =>
  servePypi(path, { base, files, own: [], freeze: undefined, inquiries, now });
const askMaven = (path: string, now: Date) =>
  serveMaven(path, { files, own: [], freeze: undefined, inquiries, passesPlugins: false, now });

/** What no worker has ended yet is stored as approved all the time. */
const expectStored = async (id: PackageId): Promise<void> =>
  expect(await findVersion(id)).toMatchObject({
    status: 'approved',
    expires_at: end.toISOString(),
  });

describe('a file of an approval that expires', () => {
  it.each([
    ['a tarball of npm', askNpm, 'lib/-/lib-2.0.0.tgz', npm('lib', '2.0.0')],
    ['a file of PyPI', askPypi, 'files/lib/2.0/lib-2.0.tar.gz', pypi('2.0')],
    ['metadata of a file of PyPI', askPypi, 'files/lib/2.0/lib-2.0.tar.gz.metadata', pypi('2.0')],
    ['a jar of Maven', askMaven, 'org/acme/lib/2.0/lib-2.0.jar', maven('lib', '2.0')],
    ['its checksum', askMaven, 'org/acme/lib/2.0/lib-2.0.jar.sha1', maven('lib', '2.0')],
    ['its POM', askMaven, 'org/acme/lib/2.0/lib-2.0.pom', maven('lib', '2.0')],
  ])('is served until then, and refused from then on: %s', async (_, ask, path, id) => {
    expect(Object.keys(await ask(path, justBefore))[0]).toMatch(/^(location|document)$/);

    await expect(ask(path, end)).rejects.toMatchObject({
      code: 'not_approved',
      message: expect.stringContaining(`its approval expired ${end.toISOString()}`),
    });
    await expectStored(id);
  });
});

describe('a list of versions of which one expires', () => {
  it('leaves it out of the packument of npm from then on', async () => {
    const show = async (now: Date) => {
      const { versions, ...packument } = Object(await askNpm('lib', now)).document;
      return {
        ...{ versions: Object.keys(versions), latest: packument['dist-tags'].latest },
        optional: versions['1.0.0'].optionalDependencies,
      };
    };

    expect(await show(justBefore)).toEqual({
      ...{ versions: ['2.0.0', '1.0.0'], latest: '2.0.0', optional: { native: '^1.0.0' } },
    });
    expect(await show(end)).toEqual({ versions: ['1.0.0'], latest: '1.0.0', optional: {} });
  });

  it('leaves it out of the project of PyPI from then on', async () => {
    const show = async (now: Date) => {
      const { versions, files } = Object(await askPypi('simple/lib/', now)).document;
      return { versions, files: files.map(({ filename }: { filename: string }) => filename) };
    };

    const before = await show(justBefore);
    expect(before.versions.toSorted()).toEqual(['1.0', '2.0']);
    expect(before.files.toSorted()).toEqual(['lib-1.0.tar.gz', 'lib-2.0.tar.gz']);
    expect(await show(end)).toEqual({ versions: ['1.0'], files: ['lib-1.0.tar.gz'] });
  });

  it('leaves it out of the metadata of Maven from then on', async () => {
    const show = async (now: Date): Promise<string[]> => {
      const { document: text } = Object(await askMaven('org/acme/lib/maven-metadata.xml', now));
      return text.match(/(?<=<(?:version|release|latest)>)[^<]+/g);
    };

    expect(await show(justBefore)).toContain('2.0');
    expect(await show(end)).toContain('1.0');
    expect(await show(end)).not.toContain('2.0');
  });

  it('refuses a package of which nothing else is approved', async () => {
    expect(await askNpm('native', justBefore)).toHaveProperty('document');

    await expect(askNpm('native', end)).rejects.toMatchObject({ code: 'not_approved' });
  });
});

it('a pod may run an image until its approval expires, and gets its digest until then', async () => {
  const image = `nginx:1.27.3@${imageDigest}`;
  const object = { kind: 'Pod', spec: { containers: [{ image }] } };
  const review = {
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    request: { uid: 'u-1', object, oldObject: null },
  } as Parameters<typeof admitPod>[0];
  const admit = async (now: Date) => (await admitPod(review, { own: [], inquiries, now })).response;

  expect(await admit(justBefore)).toEqual({ uid: 'u-1', allowed: true });
  expect(await admit(end)).toMatchObject({
    allowed: false,
    status: { message: expect.stringContaining(`its approval expired ${end.toISOString()}`) },
  });

  const tagged = { kind: 'Pod', spec: { containers: [{ image: 'nginx:1.27.3' }] } };
  const pin = async (now: Date) => {
    const request = { uid: 'u-1', object: tagged, oldObject: null };
    return (await pinImages({ ...review, request }, { own: [], now })).response;
  };
  expect(await pin(justBefore)).toHaveProperty('patch');
  expect(await pin(end)).toEqual({ uid: 'u-1', allowed: true });
});
