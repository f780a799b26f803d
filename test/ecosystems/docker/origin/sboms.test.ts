import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CollectedRelease } from '../../../../shared/domain/facts/collected-facts.ts';
import { byEcosystem, ecosystems } from '../../../../shared/ecosystems/ecosystem.ts';
import { createOriginClient } from '../../../../shared/ecosystems/origin-client.ts';
import { type OciRegistry, startOciRegistry } from '../../../support/oci-registry.ts';

const cyclonedxType = 'application/vnd.cyclonedx+json';
const spdxType = 'application/spdx+json';
const id = { ecosystem: 'docker', name: 'registry.example.com/acme/shop', version: '2.0' } as const;

let registry: OciRegistry;
let digest: string;
beforeEach(async () => {
  registry = await startOciRegistry();
  digest = registry.pushImage('acme/shop', { tag: '2.0' });
});
afterEach(() => registry.close());

const collect = async (known?: CollectedRelease): Promise<CollectedRelease> => {
  const client = createOriginClient({
    addresses: byEcosystem(ecosystems, () => registry.url),
    imageRegistries: [{ host: 'registry.example.com', url: registry.url }],
    ...{ timeoutMs: 20_000, backoffMs: 1 },
  });
  const collected = await client.collectFacts(id, known);
  if (collected.outcome === 'failed') throw new Error(`${collected.facts.reason}`);
  return collected;
};

const attach = (artifactType: string, bytes: string, of = digest): string => {
  registry.addReferrer('acme/shop', of, { artifactType, bytes });
  return registry.pushBlob('acme/shop', bytes);
};

it('describes the SBOMs themselves, by their digests and sizes', async () => {
  const cyclonedx = attach(cyclonedxType, '{"bomFormat":"CycloneDX"}');
  const spdx = attach(`${spdxType}; version=2.3`, '{"spdxVersion":"SPDX-2.3"}');
  attach('application/vnd.in-toto+json', '{}');
  attach('text/spdx', 'SPDXVersion: SPDX-2.3');

  const { details } = await collect();

  expect(details?.sboms).toHaveLength(2);
  expect(details?.sboms).toEqual(
    expect.arrayContaining([
      { format: 'cyclonedx', digest: cyclonedx, size: 25 },
      { format: 'spdx', digest: spdx, size: 26 },
    ]),
  );
});

it('describes five of them at most', async () => {
  for (let n = 0; n < 9; n += 1) attach(cyclonedxType, `{"version":${n}}`);

  expect((await collect()).details?.sboms).toHaveLength(5);
});

it('knows that there are none, unless the registry does not say it', async () => {
  expect((await collect()).details?.sboms).toEqual([]);

  registry.setFault(/\/referrers\//, (_, response) => void response.writeHead(403).end());
  const { details, facts } = await collect();

  expect(facts.found).toBe('yes');
  expect(details).toBeDefined();
  expect(details).not.toHaveProperty('sboms');
});

it('leaves out an SBOM of another image, and one that the registry withholds', async () => {
  const other = registry.pushImage('acme/shop', { platform: 'linux/arm64' });
  const foreign = registry.addReferrer('acme/shop', other, {
    ...{ artifactType: cyclonedxType, bytes: '{}' },
  });
  const entries = [foreign, `sha256:${'1'.repeat(64)}`].map((one) => ({
    ...{ digest: one, artifactType: cyclonedxType },
  }));
  const body = JSON.stringify({ manifests: entries });
  registry.setFault(/\/referrers\//, (_, response) => void response.end(body));

  expect((await collect()).details?.sboms).toEqual([]);
});

it('shows an SBOM that was attached after the image was read', async () => {
  const first = await collect();
  const spdx = attach(spdxType, '{}');

  const { details, manifest } = await collect(first);

  expect(details?.sboms).toEqual([{ format: 'spdx', digest: spdx, size: 2 }]);
  expect(details?.user).toBe(first.details?.user);
  expect(manifest).toEqual(first.manifest);
});
