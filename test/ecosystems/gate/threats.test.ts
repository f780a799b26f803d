import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';
import { parseFilePlaces } from '../../../shared/domain/packages/file-places.ts';
import { serveNpm } from '../../../shared/ecosystems/npm/gate/serve-npm.ts';
import { servePypi } from '../../../shared/ecosystems/pypi/gate/serve-pypi.ts';
import { updateAlone } from '../../../shared/storage/dynamodb/write-alone.ts';
import { listAttention } from '../../../shared/storage/reviews/attention.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { saveEvaluation } from '../../../shared/storage/reviews/review-state-writes.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { approveWith, decide, learn } from './keep.ts';

const origin = 'https://origin.example.com';
const hostile = 'https://evil.example.com';
const gate = (more: object = {}) => ({
  base: 'https://gate.example.com/npm',
  files: { origin, isSpread: false, places: [], ...more },
  own: [],
  freeze: undefined,
  inquiries: { isScanning: false, isCollectingFacts: false },
  now: new Date(),
});
const pypiGate = (more: object = {}) => gate({ isSpread: true, ...more });

const npmId = (version = '1.0.0') => ({ ecosystem: 'npm', name: 'lib', version }) as const;
const npmFile = 'lib/-/lib-1.0.0.tgz';
const npmSays = (integrity: string, tarball = `${origin}/${npmFile}`): Manifest => ({
  kind: 'npm',
  version: { name: 'lib', version: '1.0.0', dist: { tarball, integrity } },
});

const pypiId = { ecosystem: 'pypi', name: 'lib', version: '1.0' } as const;
const wheel = 'lib-1.0-py3-none-any.whl';
const pypiFile = `files/lib/1.0/${wheel}`;
const pypiSays = (sha256: string, url = `https://files.example.com/${wheel}`): Manifest => ({
  kind: 'pypi',
  files: [{ filename: wheel, url, hashes: { sha256 } }],
});

const integrity = async (): Promise<string> => {
  const answer = await serveNpm('lib', gate());
  return Object(answer)['document'].versions['1.0.0'].dist.integrity;
};
const hash = async (): Promise<string> => {
  const answer = await servePypi('simple/lib/', pypiGate());
  return Object(answer)['document'].files[0].hashes.sha256;
};

const listReasons = async () => {
  const { attention } = await listAttention({ limit: 100 }, new Date());
  return attention.map(({ reasons }) => reasons);
};

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await engine.close();
});

describe('confusion of names', () => {
  it.each([
    ['lib', 'Lib'],
    ['lib', 'l\u0456b'],
    ['lib', '@lib/lib'],
    ['@acme/lib', 'acme/lib'],
  ])('the approval of %s is none of %s in npm', async (name, other) => {
    await approveWith({ ecosystem: 'npm', name, version: '1.0.0' }, npmSays('sha512-AA=='));

    await expect(serveNpm(other, gate())).rejects.toThrow(/No version of|does not serve/);
    await expect(
      serveNpm(`${other}/-/${other.split('/').at(-1)}-1.0.0.tgz`, gate()),
    ).rejects.toThrow(/was never submitted|does not serve/);
  });

  it('a name that only this organisation knows is not looked for at the origin', async () => {
    const fetch = vi.fn();
    vi.stubGlobal('fetch', fetch);

    await expect(serveNpm('@corp/secret', gate())).rejects.toThrow('No version of @corp/secret');
    await expect(servePypi('simple/corp-secret/', pypiGate())).rejects.toThrow('No version of');

    expect(fetch).not.toHaveBeenCalled();
  });

  it('what its origin did not have when it was approved is not served once somebody publishes it there', async () => {
    await submitPackage(pypiId, writeContext());
    await learn(pypiId, null, { found: 'no' });
    await decide(pypiId, 'approved');

    await learn(pypiId, pypiSays('hostile'));

    await expect(servePypi('simple/lib/', pypiGate())).rejects.toThrow('has not said');
    await expect(servePypi(pypiFile, pypiGate())).rejects.toThrow('has not said');
    expect(await listReasons()).toEqual([['content_changed']]);
  });

  it('a project of PyPI is the same in all spellings of its name, and no other one', async () => {
    await approveWith({ ...pypiId, name: 'Acme.Lib' }, pypiSays('aa'));

    const { document: project } = Object(await servePypi('simple/acme_lib/', pypiGate()));

    expect(project.name).toBe('acme-lib');
    await expect(servePypi('simple/acmelib/', pypiGate())).rejects.toThrow('No version of acmelib');
  });
});

describe('a version that is published again', () => {
  it('is served as it was when it was approved', async () => {
    await approveWith(npmId(), npmSays('sha512-before='));
    await approveWith(pypiId, pypiSays('before'));

    await learn(npmId(), npmSays('sha512-after=', `${origin}/other.tgz`));
    await learn(pypiId, pypiSays('after', 'https://files.example.com/other.whl'));

    expect(await integrity()).toBe('sha512-before=');
    expect(await hash()).toBe('before');
    expect(await serveNpm(npmFile, gate())).toEqual({ location: `${origin}/${npmFile}` });
    expect(await servePypi(pypiFile, pypiGate())).toEqual({
      location: `https://files.example.com/${wheel}`,
    });
  });

  it('needs attention until somebody decides, and stays what it was where its approval gets another end', async () => {
    await approveWith(npmId(), npmSays('sha512-before='));
    await approveWith(pypiId, pypiSays('before'));
    await learn(npmId(), npmSays('sha512-after='));
    await learn(pypiId, pypiSays('before'), { description: 'Another one' });
    expect(await listReasons()).toEqual([['content_changed']]);

    await decide(npmId(), 'approved', {
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });

    expect(await listReasons()).toEqual([]);
    expect(await integrity()).toBe('sha512-before=');
    await learn(npmId(), npmSays('sha512-again='));
    expect(await listReasons()).toEqual([['content_changed']]);
  });

  it('is served as it is now once somebody approves that', async () => {
    await approveWith(npmId(), npmSays('sha512-before='));
    await learn(npmId(), npmSays('sha512-after='));

    await decide(npmId(), 'rejected');
    await expect(serveNpm(npmFile, gate())).rejects.toThrow('is rejected: so it is');
    await decide(npmId(), 'approved');

    expect(await integrity()).toBe('sha512-after=');
  });

  it('has no file that came after its approval', async () => {
    await approveWith(pypiId, pypiSays('before'));
    const later = { filename: 'lib-1.0.tar.gz', url: `${origin}/x`, hashes: { sha256: 'ff' } };
    await learn(pypiId, { kind: 'pypi', files: [later] });

    await expect(servePypi('files/lib/1.0/lib-1.0.tar.gz', pypiGate())).rejects.toThrow(
      'is none of the files of pypi:lib@1.0 that were there when it was approved',
    );
  });
});

describe('what a developer reads of a package of which nothing is approved', () => {
  const askAll = async (name: string): Promise<unknown[]> => {
    const catchMessage = (work: Promise<unknown>) =>
      work.then(
        () => 'served',
        ({ message }) => message,
      );
    return Promise.all([
      catchMessage(serveNpm(name, gate())),
      catchMessage(serveNpm(`${name}/-/${name}-1.3.0.tgz`, gate())),
    ]);
  };

  it('is that nobody submitted it', async () => {
    expect(await askAll('left-pad')).toEqual([
      'No version of left-pad is approved',
      'npm:left-pad@1.3.0 was never submitted for review',
    ]);
  });

  it('is that it waits, and for what, where it is pending', async () => {
    const id = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' } as const;
    await submitPackage(id, writeContext());
    expect(await askAll('left-pad')).toEqual([
      'No version of left-pad is approved; npm:left-pad@1.3.0 waits for review',
      'npm:left-pad@1.3.0 waits for review',
    ]);

    const head = await readReviewState(id);
    await updateAlone(
      saveEvaluation(id, head, {
        held_by: null,
        next_evaluation: { at: '2030-01-01T00:00:00Z', rule: 'age' },
      }),
    );
    expect(await askAll('left-pad')).toEqual([
      'No version of left-pad is approved; npm:left-pad@1.3.0 waits until 2030-01-01 for its age (rule age)',
      'npm:left-pad@1.3.0 waits until 2030-01-01 for its age (rule age)',
    ]);
    await updateAlone(saveEvaluation(id, head, { held_by: 'balanced/age', next_evaluation: null }));
    expect((await askAll('left-pad'))[1]).toBe(
      'npm:left-pad@1.3.0 needs manual review (rule balanced/age)',
    );
  });

  it('names the automatic checks that the version waits for', async () => {
    await submitPackage({ ...npmId('1.3.0'), name: 'left-pad' }, writeContext());
    const inquiries = { isScanning: true, isCollectingFacts: true };

    const asked = serveNpm('left-pad/-/left-pad-1.3.0.tgz', { ...gate(), inquiries });

    await expect(asked).rejects.toThrow(
      'npm:left-pad@1.3.0 waits for its upstream metadata and scan',
    );
    await expect(serveNpm('left-pad', { ...gate(), inquiries })).rejects.toThrow(
      'No version of left-pad is approved; npm:left-pad@1.3.0 waits for its upstream metadata and scan',
    );
  });

  it('is the reason, and no advice to submit it, where it is rejected', async () => {
    await submitPackage({ ...npmId('1.3.0'), name: 'left-pad' }, writeContext());
    await decide({ ...npmId('1.3.0'), name: 'left-pad' }, 'rejected');
    await submitPackage({ ...pypiId, name: 'left-pad' }, writeContext());
    await decide({ ...pypiId, name: 'left-pad' }, 'rejected');

    expect(await askAll('left-pad')).toEqual([
      'No version of left-pad is approved; npm:left-pad@1.3.0 is rejected: so it is',
      'npm:left-pad@1.3.0 is rejected: so it is',
    ]);
    await expect(servePypi('simple/left-pad/', pypiGate())).rejects.toThrow(
      'No version of left-pad is approved; pypi:left-pad@1.0 is rejected: so it is',
    );
  });
});

it('a lost origin takes nothing back of what it said, and is asked by nobody here', async () => {
  await approveWith(npmId(), npmSays('sha512-AA=='));
  await approveWith(pypiId, pypiSays('aa'));
  const fetch = vi.fn(() => Promise.reject(new Error('lost')));
  vi.stubGlobal('fetch', fetch);

  expect(await integrity()).toBe('sha512-AA==');
  expect(await hash()).toBe('aa');
  const places = parseFilePlaces(`npm:${origin}=https://mirror.example.com/npm`);
  expect(await serveNpm(npmFile, gate({ places }))).toEqual({
    location: `https://mirror.example.com/npm/${npmFile}`,
  });
  expect(fetch).not.toHaveBeenCalled();
});

describe("a file that lies at another host than its registry's", () => {
  it('of npm is not handed on, unless somebody allowed that place', async () => {
    await approveWith(npmId(), npmSays('sha512-AA==', `${hostile}/lib.tgz`));

    await expect(serveNpm(npmFile, gate())).rejects.toThrow(
      "lies at a host that is not its registry's",
    );
    const places = parseFilePlaces(`npm:${hostile}`);
    expect(await serveNpm(npmFile, gate({ places }))).toEqual({ location: `${hostile}/lib.tgz` });
  });

  it('of PyPI is handed on with its checksum, until somebody says where files may lie', async () => {
    await approveWith(pypiId, pypiSays('aa', `${hostile}/${wheel}`));

    expect(await servePypi(pypiFile, pypiGate())).toEqual({ location: `${hostile}/${wheel}` });
    const places = parseFilePlaces('pypi:https://files.example.com');
    await expect(servePypi(pypiFile, pypiGate({ places }))).rejects.toThrow('lies at a host');
  });
});
