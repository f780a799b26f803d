import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OriginServer } from '../../../support/origin-server.ts';

/** A package.json, of which name and version are all that it needs. */
export type PackageJson = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly version: string;
};

const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes);

/** The file that npm itself makes of a package. */
const pack = (manifest: PackageJson): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-npm-origin-'));
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package', 'index.js'), `module.exports = '${manifest.version}';\n`);
  const args = ['pack', '--silent', '--ignore-scripts', join(folder, 'package')];
  const file = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
  const bytes = readFileSync(join(folder, file));
  rmSync(folder, { recursive: true });
  return bytes;
};

/** Returns what an origin adds to the `dist` of a version with this integrity: signatures and attestations. */
type Sign = (manifest: PackageJson, integrity: string) => object;

/** Has a server publish packages as npm's registry does: a packument of each name, and a file of each version. */
export const publishAll = (
  origin: OriginServer,
  packages: readonly PackageJson[],
  sign: Sign = () => ({}),
): void => {
  const names = new Set(packages.map(({ name }) => name));
  for (const name of names) {
    const versions = packages.filter((one) => one.name === name);
    const entries = versions.map((manifest) => {
      const bytes = pack(manifest);
      const file = `${name}/-/${name.slice(name.indexOf('/') + 1)}-${manifest.version}.tgz`;
      origin.serve(`/${file}`, { body: bytes });
      const integrity = `sha512-${digest('sha512', bytes).digest('base64')}`;
      const dist = {
        tarball: `${origin.url}/${file}`,
        shasum: digest('sha1', bytes).digest('hex'),
        integrity,
        ...sign(manifest, integrity),
      };
      return [manifest.version, { ...manifest, dist }] as const;
    });
    const time = versions.map(({ version }, at) => [version, `2024-01-0${at + 1}T00:00:00.000Z`]);
    origin.serve(`/npm/${name.replace('/', '%2f')}`, {
      body: {
        name,
        'dist-tags': { latest: versions.at(-1)?.version },
        versions: Object.fromEntries(entries),
        time: Object.fromEntries(time),
      },
    });
  }
};
