import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { imageRegistriesFile } from '../../../shared/api/resources.ts';
import type { ImageRegistry } from '../../../shared/ecosystems/docker/origin/image-registry.ts';

let folder: string;
const writeRegistries = (registries: readonly unknown[]): void =>
  writeFileSync(join(folder, imageRegistriesFile), JSON.stringify({ registries }));

beforeEach(() => {
  // Each test has a new function instance.
  vi.resetModules();
  folder = mkdtempSync(join(tmpdir(), 'image-registries-'));
  vi.stubEnv('LAMBDA_TASK_ROOT', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const read = async (): Promise<readonly ImageRegistry[]> =>
  (await import('../../../shared/api/settings/image-registries.ts')).readImageRegistries();

it('reads the image registries beside the code, once for a function instance', async () => {
  const registry = { host: 'registry.example.com:5000', url: 'https://mirror.example.com/oci' };
  writeRegistries([registry]);
  const first = await read();
  writeRegistries([]);

  expect(first).toEqual([registry]);
  expect(await read()).toBe(first);
});

it('has mirrors below a path, and mirrors whose repositories have a prefix', async () => {
  const urls = ['https://mirror.example.com/api/docker/hub', 'https://harbor.example.com/v2/hub'];
  writeRegistries(urls.map((url, at) => ({ host: `registry-${at}.example.com`, url })));

  expect((await read()).map(({ url }) => url)).toEqual(urls);
});

it('refuses to run without a valid file', async () => {
  await expect(read()).rejects.toThrow('no such file');
  writeRegistries([{ host: 'registry.example.com', url: 'ftp://registry.example.com' }]);

  await expect(read()).rejects.toThrow('must be the https URL of the API');
});
