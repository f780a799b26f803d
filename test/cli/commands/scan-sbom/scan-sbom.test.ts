import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fetchSbom } from '../../../../cli/commands/scan-sbom/fetch-sbom.ts';
import { evidence } from '../../../../shared/api/openapi/examples/review.ts';
import type { ImageSbom } from '../../../../shared/domain/facts/release-details.ts';
import { CommandLine } from '../../../support/command-line.ts';
import { type OciRegistry, startOciRegistry } from '../../../support/oci-registry.ts';
import { json, type ScriptedServer, startScripted } from '../../../support/scripted-server.ts';
import type { Ended } from '../../../support/warm-commands.ts';

let commandLine: CommandLine;
let images: OciRegistry;
let api: ScriptedServer | undefined;
beforeAll(() => {
  commandLine = CommandLine.install();
});
beforeEach(async () => {
  images = await startOciRegistry({ auth: 'bearer' });
});
afterEach(async () => {
  await api?.close();
  await images.close();
});
afterAll(() => commandLine.remove());

const cyclonedx = '{"bomFormat":"CycloneDX","specVersion":"1.6"}';
const spdx = '{"spdxVersion":"SPDX-2.3","name":"größe"}';

const push = (format: ImageSbom['format'], content: string): ImageSbom => ({
  format,
  digest: images.pushBlob('acme/shop', content),
  size: Buffer.byteLength(content),
});

/** Runs the command against an API whose evidence lists these SBOMs. */
const run = async (
  sboms: readonly ImageSbom[] | undefined,
  args: readonly string[] = [],
  ecosystem = 'docker',
): Promise<Ended> => {
  const name = `${images.host}/acme/shop`;
  api = await startScripted(
    json(200, {
      ...evidence,
      package: { ...evidence.package, ecosystem, name, version: '2.0' },
      files: { pinned: true, total: 0, files: [], ...(sboms && { sboms }) },
    }),
  );
  return commandLine.run(['scan', 'sbom', `docker:${name}:2.0`, ...args], {
    env: { REGISTRY_URL: api.url },
  });
};

describe('registry scan sbom', () => {
  it('writes the SBOM as it is, CycloneDX before SPDX', async () => {
    const answer = await run([push('spdx', spdx), push('cyclonedx', cyclonedx)]);

    expect(answer).toEqual(expect.objectContaining({ code: 0, stdout: cyclonedx, stderr: '' }));
    expect(api?.received[0]?.url).toMatch(/\/evidence\?.*version=2\.0/);
  });

  it('writes another type on demand, or if there is no other', async () => {
    const sboms = [push('cyclonedx', cyclonedx), push('spdx', spdx)];

    expect(await run(sboms, ['--type', 'spdx'])).toMatchObject({ code: 0, stdout: spdx });
    await api?.close();
    expect(await run(sboms.slice(1))).toMatchObject({ code: 0, stdout: spdx });
  });

  const refusals: readonly [
    what: string,
    list: () => readonly ImageSbom[] | undefined,
    args: readonly string[],
    message: RegExp,
  ][] = [
    ['has none', () => [], [], /has no SBOM in its registry/],
    ['has none of the type', () => [push('spdx', spdx)], ['--type', 'cyclonedx'], /but in SPDX/],
    ['has an unknown number', () => undefined, [], /are not known/],
    [
      'lost it',
      () => [{ ...push('spdx', spdx), digest: `sha256:${'1'.repeat(64)}` }],
      [],
      /no longer has the SBOM sha256:1/,
    ],
    ['has no JSON', () => [push('spdx', 'SPDXVersion: SPDX-2.3')], [], /is no JSON/],
  ];

  it.each(refusals)('ends with 1 if the image %s', async (_, list, args, message) => {
    const { code, stdout, stderr } = await run(list(), args);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('does not write other content than the package registry lists', async () => {
    const sbom = push('cyclonedx', cyclonedx);
    images.setFault(/\/blobs\//, (_, response) => void response.end('{"bomFormat":"Other"}'));

    const { code, stdout, stderr } = await run([sbom]);

    expect({ code: code !== 0, stdout }).toEqual({ code: true, stdout: '' });
    expect(stderr).toContain('with other content');
  });

  it('says that the registry of the image cannot be reached, or needs an account', async () => {
    const sbom = push('cyclonedx', cyclonedx);
    images.setFault(/\/blobs\//, (_, response) => void response.writeHead(403).end());
    expect((await run([sbom])).stderr).toContain('requires an account');

    await api?.close();
    await images.close();
    expect((await run([sbom])).stderr).toContain(images.host);
  });

  it('refuses a package that is no image', async () => {
    const { code, stderr } = await run([], [], 'npm');

    expect(code).toBe(2);
    expect(stderr).toContain('is no image');
  });
});

describe('the address of an image registry', () => {
  const sbom: ImageSbom = { format: 'spdx', digest: `sha256:${'1'.repeat(64)}`, size: 1 };
  const urls: string[] = [];
  const fetch = async (url: unknown): Promise<Response> => {
    urls.push(String(url));
    return new Response('x', { status: 404 });
  };
  const ask = (image: string, registry = 'https://packages.example.com', size = 1) =>
    fetchSbom(image, { ...sbom, size }, { registry, fetch });
  beforeEach(() => void urls.splice(0));

  it.each([
    ['nginx', `registry-1.${'docker'}.io/v2/library/nginx/`],
    ['ghcr.io/acme/shop', 'ghcr.io/v2/acme/shop/'],
    ['10.1.2.3:5000/shop', '10.1.2.3:5000/v2/shop/'],
  ])('of %s is asked by HTTPS', async (image, expected) => {
    await expect(ask(image)).rejects.toThrow('no longer has');
    expect(urls).toEqual([`https://${expected}blobs/${sbom.digest}`]);
  });

  it.each(['169.254.169.254/shop', '127.0.0.1:5000/shop', 'localhost:5000/shop'])(
    'is refused: %s',
    async (image) => {
      await expect(ask(image)).rejects.toThrow('is not allowed');
      expect(urls).toEqual([]);
    },
  );

  it('may be this machine if the package registry is on it', async () => {
    await expect(ask('localhost:5000/shop', 'http://127.0.0.1:3000')).rejects.toThrow('no longer');
    expect(urls).toEqual([`http://localhost:5000/v2/shop/blobs/${sbom.digest}`]);
  });

  it('gets no request for an SBOM that is too large', async () => {
    await expect(ask('ghcr.io/acme/shop', undefined, 21 * 1024 * 1024)).rejects.toThrow(
      /of which at most/,
    );
    expect(urls).toEqual([]);
  });
});
