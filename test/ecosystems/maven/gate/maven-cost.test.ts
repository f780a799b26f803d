import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveMaven } from '../../../../shared/ecosystems/maven/gate/serve-maven.ts';
import { updatePack } from '../../../../shared/storage/packs/update-pack.ts';
import { makePom, maven, publish, tell } from '../../../storage/poms/leaning-versions.ts';
import { measure, startEngine, type TestEngine } from '../../../support/engine.ts';

const origin = 'https://repository.example.com/maven/';
const ask = (path: string, passesPlugins = false) =>
  serveMaven(path, {
    files: { origin, isSpread: false, places: [] },
    own: [],
    freeze: undefined,
    inquiries: { isScanning: true, isCollectingFacts: true },
    passesPlugins,
    now: new Date(),
  });

const parent = makePom('org.acme:parent:7');
const lib = 'org/acme/lib/1.0/lib-1.0';
const parentPath = 'org/acme/parent/7/parent-7.pom';

const packLib = () => updatePack(maven('lib'), { now: new Date() });

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  const files = ['lib-1.0.pom', 'lib-1.0.jar'].map((name) => ({
    name,
    checksums: { sha1: 'a'.repeat(40) },
  }));
  await publish(maven('lib'), { files, parents: [parent] });
  await tell(maven('lib'));
  await packLib();
});
afterEach(() => engine.close());

describe('what a request costs', () => {
  it.each([
    ['the POM of a parent', parentPath, { calls: 1, readUnits: 0.5 }],
    ['the POM of an approved version', `${lib}.pom`, { calls: 3, readUnits: 2 }],
    ['its jar', `${lib}.jar`, { calls: 2, readUnits: 1.5 }],
    ['a checksum of it', `${lib}.jar.sha1`, { calls: 2, readUnits: 1.5 }],
    ['a checksum of a parent', `${parentPath}.sha1`, { calls: 2, readUnits: 1.5 }],
    ['metadata', 'org/acme/lib/maven-metadata.xml', { calls: 1, readUnits: 1 }],
  ])('%s', async (_, path, cost) => {
    const { result: __, ...spent } = await measure(() => ask(path));

    expect(spent).toMatchObject({ ...cost, writeUnits: 0 });
  });

  it('a refusal takes the version, its head and what is near, and of a POM a look at who leans on it', async () => {
    const refuse = (path: string) =>
      measure(() => expect(ask(path)).rejects.toThrow('approved: 1.0'));

    expect((await refuse('org/acme/lib/2.0/lib-2.0.jar')).calls).toBe(3);
    expect((await refuse('org/acme/lib/2.0/lib-2.0.pom')).calls).toBe(4);
  });

  it('metadata of many versions take one call', async () => {
    for (let at = 0; at < 20; at += 1) await publish(maven('lib', `2.${at}`), {});
    await packLib();

    const { calls, result } = await measure(() => ask('org/acme/lib/maven-metadata.xml'));

    expect(calls).toBe(1);
    expect(Object(result).document.match(/<version>/g)).toHaveLength(21);
  });
});

it('of a POM that is approved itself its own checksum counts, and not what a child saw later', async () => {
  const own = makePom(parent.coordinates, 'as it was approved');
  const files = [{ name: 'parent-7.pom', checksums: own.checksums }];
  const sum = async () => Object(await ask(`${parentPath}.sha1`)).document;
  expect(await sum()).toBe(parent.checksums.sha1);

  await publish(maven('parent', '7'), { files });

  expect(await sum()).toBe(own.checksums.sha1);
});

describe('where plugins pass', () => {
  const asked = 'org/apache/maven/plugins/maven-clean-plugin';

  it.each([
    `${asked}/3.4.0/maven-clean-plugin-3.4.0.jar`,
    `${asked}/3.4.0/maven-clean-plugin-3.4.0.jar.sha1`,
    `${asked}/maven-metadata.xml`,
    'org/acme/a+b/1.0+c/a+b-1.0+c.jar',
  ])('all that is asked for as one comes from the origin, without a call: %s', async (path) => {
    const { result, calls } = await measure(() => ask(`-/plugins/${path}`, true));

    expect(result).toEqual({ location: `${origin}${path.replaceAll('+', '%2B')}` });
    expect(calls).toBe(0);
  });

  it.each([
    `-/plugins/${asked}/../x`,
    '-/plugins/',
    '-/plugins//x',
    '-/plugins/a/./b',
    '-/plugins/a%0d%0ab',
  ])('nothing is made of %s', async (path) => {
    await expect(ask(path, true)).rejects.toMatchObject({ code: 'route_not_found' });
  });

  it('what is not asked for as one is refused as ever', async () => {
    const path = `${asked}/3.4.0/maven-clean-plugin-3.4.0.jar`;

    await expect(ask(path, true)).rejects.toMatchObject({ code: 'not_approved' });
    await expect(ask(`-/plugins/${path}`, false)).rejects.toMatchObject({ code: 'not_approved' });
  });
});
