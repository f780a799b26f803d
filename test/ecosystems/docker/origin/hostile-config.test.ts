import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OciRegistry, startOciRegistry } from '../../../support/oci-registry.ts';
import { answerWith, answerWithoutEnd, askImage } from './ask-image.ts';

let registry: OciRegistry;

beforeEach(async () => {
  registry = await startOciRegistry();
});

afterEach(() => registry.close());

const blobs = /\/blobs\//;

/** Stores an image with a configuration of any content, and returns the outcome of its tag. */
const askConfig = (config: string) => {
  const digest = registry.pushBlob('acme/shop', config);
  const mediaType = 'application/vnd.oci.image.config.v1+json';
  registry.pushManifest(
    'acme/shop',
    {
      ...{ schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json', layers: [] },
      config: { mediaType, digest, size: Buffer.byteLength(config) },
    },
    { tag: '1' },
  );
  return askImage(registry, '1');
};

describe('a configuration', () => {
  const askDetails = async (config: string) => (await askConfig(config)) as { details?: unknown };

  const describedBy = async (config: object) =>
    (await askDetails(JSON.stringify({ config }))).details;

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['more than 1 MiB', `{"x": "${'x'.repeat(1024 * 1024)}"}`],
    ['two spellings', '{"config": {"User": "101"}, "CONFIG": {"User": "root"}}'],
    ['two users, of which Go reads the last', '{"config": {"User": "101", "user": "root"}}'],
  ])('of %s describes nothing', async (_, config) => {
    const answer = await askDetails(config);

    expect(answer).toMatchObject({ outcome: 'answered', facts: { found: 'yes' } });
    expect(answer.details).toMatchObject({ described: false });
    expect(answer.details).not.toHaveProperty('user');
  });

  it('of deep JSON is read without any harm', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const { details } = await askDetails(
      `{"config": {"User": "101", "Cmd": ${deep}, "x": ${deep}}}`,
    );

    expect(details).toMatchObject({ described: true, entrypoint: null, user: '101', labels: [] });
    expect(details).not.toHaveProperty('command');
  });

  it('without an end is not read to it', async () => {
    registry.pushImage('acme/shop', { tag: '1' });
    registry.setFault(blobs, answerWithoutEnd());

    expect(await askImage(registry, '1')).toMatchObject({
      outcome: 'answered',
      facts: { found: 'yes' },
    });
  });

  it('of other bytes than those of its digest describes nothing', async () => {
    registry.pushImage('acme/shop', { config: { User: '101' }, tag: '1' });
    registry.setFault(blobs, answerWith({ config: { User: '102' } }));

    expect(await askImage(registry, '1')).toMatchObject({ details: { described: false } });
  });

  it.each<[string, unknown, unknown]>([
    ['a text', 'a=b', undefined],
    ['a list', ['a', 'b'], undefined],
    ['a number', { a: 7 }, undefined],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [at, 'x'])),
      undefined,
    ],
    ['an empty name', { '': 'x' }, undefined],
    ['a long name', { ['x'.repeat(300)]: 'x' }, undefined],
    [
      'hidden characters',
      { 'a\u202eb': '\u001b[31mred\u202e\u200b\u0000' },
      { name: 'ab', text: '[31mred' },
    ],
    ['a long text', { a: '\u6f22'.repeat(200_000) }, { name: 'a', text: '\u6f22'.repeat(500) }],
  ])('has labels only as far as they are clean: %s', async (_, Labels, expected) => {
    const details = await describedBy({ Labels });

    expect(details).toMatchObject({ described: true });
    if (expected === undefined) expect(details).not.toHaveProperty('labels');
    else expect(details).toMatchObject({ labels: [expected] });
  });

  it('may have a label with the name of a prototype', async () => {
    const { details } = await askDetails(
      '{"config": {"Labels": {"__proto__": "x", "constructor": "y"}}}',
    );

    expect(details).toMatchObject({ labels: [{ name: '__proto__' }, { name: 'constructor' }] });
    expect(Reflect.get({}, 'text')).toBeUndefined();
  });

  it('shows what its command hides', async () => {
    expect(
      await describedBy({ Entrypoint: ['/bin/\u202ehs\u0007\u009b', '\ud83d'] }),
    ).toMatchObject({
      entrypoint: String.raw`["/bin/\u202ehs\u0007\u009b","\ud83d"]`,
    });
  });

  it.each<[string, string, object]>([
    ['entrypoint', 'a long text', { Entrypoint: ['x'.repeat(2_001)] }],
    ['entrypoint', 'a number', { Entrypoint: ['a', 7] }],
    ['command', 'one text', { Cmd: 'nginx' }],
    ['user', 'a number', { User: 7 }],
    ['user', 'a long text', { User: 'x'.repeat(300) }],
  ])('has no %s of %s', async (attribute, _, config) => {
    const details = await describedBy(config);

    expect(details).toMatchObject({ described: true });
    expect(details).not.toHaveProperty(attribute);
  });
});
