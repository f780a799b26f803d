import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admitPod } from '../../../shared/ecosystems/docker/gate/admit-pod.ts';
import { pinImages } from '../../../shared/ecosystems/docker/gate/pin-images.ts';
import { serveMaven } from '../../../shared/ecosystems/maven/gate/serve-maven.ts';
import { serveNpm } from '../../../shared/ecosystems/npm/gate/serve-npm.ts';
import { servePypi } from '../../../shared/ecosystems/pypi/gate/serve-pypi.ts';
import { defineTable } from '../../../shared/storage/dynamodb/table.ts';
import { deleteItem } from '../../../shared/storage/dynamodb/write.ts';
import {
  deleteAlone,
  putAlone,
  updateAlone,
} from '../../../shared/storage/dynamodb/write-alone.ts';
import { putFreeze } from '../../../shared/storage/reviews/freeze.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { saveEvaluation } from '../../../shared/storage/reviews/review-state-writes.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { makePom, maven, tell } from '../../storage/poms/leaning-versions.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { decide, learn } from './keep.ts';

const origin = 'https://registry.example.com';
const freeze = {
  ...{ before: '2026-01-01T00:00:00.000Z', since: '2026-01-02T03:00:00.000Z' },
  ...{ reason: 'Malware in npm', by: 'ana', token_label: 'ana' },
};
const sentence =
  'the registry has been frozen since 2026-01-02T03:00:00Z and refuses versions published after 2026-01-01T00:00:00Z or at an unknown time: Malware in npm';
const old = '2025-12-31T00:00:00.000Z';
const fresh = '2026-01-01T00:00:00.001Z';

const files = { origin, isSpread: false, places: [] };
const inquiries = { isScanning: true, isCollectingFacts: true };
const contextOf = (isFrozen: boolean) => ({
  ...{ base: 'https://gate.example.com', files, own: [], inquiries, now: new Date() },
  freeze: isFrozen ? freeze : undefined,
});
const askNpm = (path: string, isFrozen = true) => serveNpm(path, contextOf(isFrozen));
const askPypi = (path: string, isFrozen = true) => servePypi(path, contextOf(isFrozen));
const askMaven = (path: string, isFrozen = true, passesPlugins = false) =>
  serveMaven(path, { ...contextOf(isFrozen), passesPlugins });

const npm = (name: string, version: string) => ({ ecosystem: 'npm', name, version }) as const;
const imageDigest = `sha256:${'a'.repeat(64)}`;
const pypi = (version: string) => ({ ecosystem: 'pypi', name: 'lib', version }) as const;

const publishNpm = async (
  name: string,
  version: string,
  published_at: string | null,
  more: object = {},
) => {
  const id = npm(name, version);
  const tarball = `${origin}/${name}/-/${name}-${version}.tgz`;
  const attestations = { url: `${origin}/attestations/${name}@${version}` };
  const dist = { tarball, integrity: 'sha512-AAAA', attestations };
  await submitPackage(id, writeContext());
  await learn(id, { kind: 'npm', version: { name, version, dist, ...more } }, { published_at });
  await decide(id, 'approved');
};

const publishPypi = async (version: string, published_at: string) => {
  const file = { filename: `lib-${version}.tar.gz`, url: `${origin}/x`, hashes: { sha256: 'aa' } };
  await submitPackage(pypi(version), writeContext());
  await learn(pypi(version), { kind: 'pypi', files: [file] }, { published_at });
  await decide(pypi(version), 'approved');
};

const publishMaven = async (
  artifact: string,
  version: string,
  published_at: string,
  parent: string,
) => {
  const id = maven(artifact, version);
  const named = ['pom', 'jar'].map((kind) => ({
    name: `${artifact}-${version}.${kind}`,
    checksums: { sha1: 'a'.repeat(40) },
  }));
  await submitPackage(id, writeContext());
  const manifest = { kind: 'maven', files: named, parents: [makePom(parent)], boms: [] } as const;
  await learn(id, manifest, { published_at });
  await decide(id, 'approved');
  await tell(id);
};

/** Submits a version that a rule would approve, but for the freeze. */
const submitStopped = async (version: string): Promise<void> => {
  const id = npm('stopped', version);
  await submitPackage(id, writeContext());
  await learn(id, { kind: 'npm', version: { name: 'stopped', version } }, { published_at: old });
  const evaluated = { held_by: null, next_evaluation: null, frozen_rule: 'of-age' };
  await updateAlone(saveEvaluation(id, await readReviewState(id), evaluated));
};

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  const optionalDependencies = { native: '1.0.0', aged: '1.0.0' };
  await publishNpm('lib', '1.0.0', old, { optionalDependencies });
  await publishNpm('lib', '2.0.0', fresh);
  await publishNpm('undated', '1.0.0', null);
  await publishNpm('native', '1.0.0', fresh);
  await publishNpm('aged', '1.0.0', old);
  await publishPypi('1.0', old);
  await publishPypi('2.0', fresh);
  await publishMaven('lib', '1.0', old, 'org.acme:parent:1');
  await publishMaven('lib', '2.0', fresh, 'org.acme:parent:2');
  await publishMaven('late', '1.0', fresh, 'org.acme:parent:1');
  await submitPackage(npm('waiting', '1.0.0'), writeContext());
  const nginx = { ecosystem: 'docker', name: 'nginx', version: '1.0' } as const;
  await submitPackage({ ...nginx, name: 'redis' }, writeContext());
  await submitPackage(nginx, writeContext());
  await learn(nginx, { kind: 'docker', digest: imageDigest, images: [] });
  await decide(nginx, 'approved');
});
afterAll(() => engine.close());

describe('npm during a freeze', () => {
  it('leaves out the versions published after it, and optional dependencies on them', async () => {
    const list = async (isFrozen: boolean) => Object(await askNpm('lib', isFrozen))['document'];

    expect(Object.keys((await list(false)).versions)).toEqual(['2.0.0', '1.0.0']);
    const { versions, 'dist-tags': tags } = await list(true);
    expect(Object.keys(versions)).toEqual(['1.0.0']);
    expect(tags).toEqual({ latest: '1.0.0' });
    expect(versions['1.0.0'].optionalDependencies).toEqual({ aged: '1.0.0' });
  });

  it('serves older files, and refuses newer ones with the reason and an older version', async () => {
    expect(await askNpm('lib/-/lib-1.0.0.tgz')).toHaveProperty('location');

    await expect(askNpm('lib/-/lib-2.0.0.tgz')).rejects.toMatchObject({
      code: 'frozen',
      message: `npm:lib@2.0.0 is approved; ${sentence}; approved: 1.0.0`,
    });
  });

  it('hands on attestations of older versions, and refuses those of newer ones', async () => {
    const path = '-/npm/v1/attestations/lib@';

    expect(await askNpm(`${path}1.0.0`)).toEqual({ location: `${origin}/attestations/lib@1.0.0` });
    await expect(askNpm(`${path}2.0.0`)).rejects.toMatchObject({ code: 'frozen' });
    expect(await askNpm(`${path}2.0.0`, false)).toHaveProperty('location');
  });

  it.each([
    ['undated/-/undated-1.0.0.tgz', 'npm:undated@1.0.0 is approved; '],
    ['undated', 'No version of undated is served; npm:undated@1.0.0 is approved; '],
    ['nobody', 'No version of nobody is served; '],
    ['waiting/-/waiting-1.0.0.tgz', 'npm:waiting@1.0.0 waits for its upstream metadata and scan; '],
    ['nobody/-/nobody-1.0.0.tgz', 'npm:nobody@1.0.0 was never submitted for review; '],
  ])('refuses what has no known time: %s', async (path, beginning) => {
    await expect(askNpm(path)).rejects.toMatchObject({
      code: 'frozen',
      message: expect.stringContaining(`${beginning}${sentence}`),
    });
  });

  it('costs one more read for each of these, and without a freeze none', async () => {
    const list = async (isFrozen: boolean) =>
      (await measure(() => askNpm('lib/-/lib-1.0.0.tgz', isFrozen))).calls;

    expect([await list(false), await list(true)]).toEqual([2, 3]);
  });
});

describe('PyPI during a freeze', () => {
  it('leaves out the versions published after it', async () => {
    const list = async (isFrozen: boolean) =>
      Object(await askPypi('simple/lib/', isFrozen))['document'].versions;

    expect(await list(false)).toEqual(['2.0', '1.0']);
    expect(await list(true)).toEqual(['1.0']);
  });

  it.each(['lib-2.0.tar.gz', 'lib-2.0.tar.gz.metadata'])('refuses a file: %s', async (file) => {
    await expect(askPypi(`files/lib/2.0/${file}`)).rejects.toMatchObject({
      code: 'frozen',
      message: `pypi:lib@2.0 is approved; ${sentence}; approved: 1.0`,
    });
  });

  it('serves a file published before it', async () => {
    expect(await askPypi('files/lib/1.0/lib-1.0.tar.gz')).toHaveProperty('location');
  });
});

describe('Maven during a freeze', () => {
  const lib = (version: string, end: string) => `org/acme/lib/${version}/lib-${version}.${end}`;

  it('leaves out the versions published after it', async () => {
    const list = async (isFrozen: boolean) =>
      Object(await askMaven('org/acme/lib/maven-metadata.xml', isFrozen)).document.match(
        /(?<=<version>)[^<]+/g,
      );

    expect(await list(false)).toEqual(['1.0', '2.0']);
    expect(await list(true)).toEqual(['1.0']);
  });

  it.each(['jar', 'pom', 'jar.sha1', 'pom.sha1'])(
    'refuses a %s published after it',
    async (end) => {
      expect(await askMaven(lib('2.0', end), false)).toBeDefined();
      expect(await askMaven(lib('1.0', end))).toBeDefined();

      await expect(askMaven(lib('2.0', end))).rejects.toMatchObject({
        code: 'frozen',
        message: `maven:org.acme:lib@2.0 is approved; ${sentence}; approved: 1.0`,
      });
    },
  );

  it('serves the POM of a parent that a version published before it needs', async () => {
    expect(await askMaven('org/acme/parent/1/parent-1.pom')).toHaveProperty('location');
    expect(await askMaven('org/acme/parent/2/parent-2.pom', false)).toHaveProperty('location');

    await expect(askMaven('org/acme/parent/2/parent-2.pom')).rejects.toMatchObject({
      code: 'frozen',
    });
  });

  it('lets no plugin pass without an approval', async () => {
    const plugin = '-/plugins/org/acme/tool/1.0/tool-1.0.jar';

    expect(await askMaven(plugin, false, true)).toHaveProperty('location');
    await expect(askMaven(plugin, true, true)).rejects.toMatchObject({ code: 'frozen' });
    expect(await askMaven(`-/plugins/${lib('1.0', 'jar')}`, true, true)).toHaveProperty('location');
  });
});

describe('a pod during a freeze', () => {
  const review = (...images: readonly string[]) => {
    const spec = { containers: images.map((image) => ({ image })) };
    const request = { uid: 'u-1', object: { kind: 'Pod', spec } };
    return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request } as const;
  };
  const pin = async (image: string) =>
    (await pinImages(review(image), { own: [], now: new Date() })).response;
  const admit = async (...images: readonly string[]) => {
    const measured = await measure(() =>
      admitPod(review(...images), { own: [], inquiries, now: new Date() }),
    );
    const { allowed, status } = measured.result.response;
    return { allowed, message: status?.message, calls: measured.calls };
  };

  it('may run images approved before it, and costs one more read than the images', async () => {
    const nginx = `nginx:1.0@${imageDigest}`;
    expect(await admit(nginx)).toMatchObject({ allowed: true, calls: 3 });

    await putAlone(putFreeze({ ...freeze, before: new Date(Date.now() + 1000).toISOString() }));
    expect(await admit(nginx)).toMatchObject({ allowed: true, calls: 3 });
    expect(await pin('nginx:1.0')).toHaveProperty('patch');

    await putAlone(putFreeze(freeze));
    const { allowed, message } = await admit(nginx, 'redis:1.0');
    const why =
      'the registry has been frozen since 2026-01-02T03:00:00Z and refuses images approved after 2026-01-01T00:00:00Z: Malware in npm';
    expect(allowed).toBe(false);
    expect(message).toBe(
      `docker:nginx@1.0 is approved; ${why}. docker:redis@1.0 waits for its upstream metadata; ${why}`,
    );
    expect(await pin('nginx:1.0')).toEqual({ uid: 'u-1', allowed: true });
    await deleteAlone(deleteItem(defineTable('reviews'), { v: '#freeze', k: 'freeze' }));
  });
});

it('says that a version waits for the end of the freeze, if a rule would approve it', async () => {
  await submitStopped('1.0.0');
  const waits =
    'npm:stopped@1.0.0 waits until the freeze of 2026-01-02T03:00:00Z is lifted (rule of-age)';
  const idle = { isScanning: false, isCollectingFacts: false };
  const ask = (path: string) => serveNpm(path, { ...contextOf(true), inquiries: idle });

  await expect(ask('stopped/-/stopped-1.0.0.tgz')).rejects.toThrow(waits);
  await expect(ask('stopped')).rejects.toThrow(`No version of stopped is approved; ${waits}`);
});
