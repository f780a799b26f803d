import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fetchTrustedRoot } from '../../../shared/ecosystems/provenance/fetch-trusted-root.ts';
import { type OriginServer, startOriginServer } from '../../support/origin-server.ts';
import { type Sigstore, startSigstore } from '../../support/sigstore.ts';
import { firstRoot, serveTuf } from '../../support/tuf-repository.ts';

let server: OriginServer;
let sigstore: Sigstore;
beforeAll(async () => {
  [server, sigstore] = await Promise.all([startOriginServer(), startSigstore()]);
});
beforeEach(() => {
  serveTuf(server, '/tuf', sigstore.root);
});
afterAll(() => server.close());

const listFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('trusted-root-'));

it('fetches the trusted root, and leaves no files', async () => {
  const before = listFolders();
  const root = await fetchTrustedRoot({ url: `${server.url}/tuf`, firstRoot });

  expect(root).toEqual(sigstore.root);
  expect(listFolders().filter((name) => !before.includes(name))).toEqual([]);
});

it('refuses a repository that the root metadata of the release does not sign', async () => {
  await expect(fetchTrustedRoot({ url: `${server.url}/tuf` })).rejects.toThrow('TUF');
});

it('refuses a trusted root that was changed after it was signed', async () => {
  server.serve('/tuf/targets/trusted_root.json', { body: { ...Object(sigstore.root), tlogs: [] } });

  await expect(fetchTrustedRoot({ url: `${server.url}/tuf`, firstRoot })).rejects.toThrow(
    'downloading target',
  );
});

it('refuses a signed trusted root that cannot be used', async () => {
  serveTuf(server, '/tuf', { ...Object(sigstore.root), tlogs: [{ publicKey: {} }] });

  await expect(fetchTrustedRoot({ url: `${server.url}/tuf`, firstRoot })).rejects.toThrow();
});
