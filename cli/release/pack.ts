/** `npm run package`: packs the command line and the client as one package that needs no other, into dist/. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildInto } from '../build.ts';
import { oldestNode } from '../oldest-node.ts';
import { writeClientTypes } from './client-types.ts';
import { listThirdPartyLicenses } from './third-party-licenses.ts';

const project = join(import.meta.dirname, '..', '..');

interface ProjectManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** The files lie in dist/ in the project, and at the top in the package. */
const dropDist = <T>(paths: T): T => JSON.parse(JSON.stringify(paths).replaceAll('dist/', '')) as T;

const writeManifest = (folder: string): void => {
  const text = readFileSync(join(project, 'package.json'), 'utf8');
  const { name, version, license, bin, exports } = JSON.parse(text) as ProjectManifest;
  const manifest = {
    name,
    version,
    description: 'The command line of the package registry, and its client for programs',
    license,
    type: 'module',
    bin: dropDist(bin),
    exports: dropDist(exports),
    engines: { node: `>=${oldestNode.join('.')}` },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
};

/** Replaces links to pages that are not in the package by their text. */
const dropLinks = (page: string): string =>
  page.replaceAll(/\[([^\]]+)\]\((?!#|https?:)[^)]+\)/g, '$1');

const writePackage = async (folder: string): Promise<void> => {
  const sources = await buildInto(folder);
  writeClientTypes(folder);
  writeManifest(folder);
  const licenses = listThirdPartyLicenses(project, sources);
  writeFileSync(join(folder, 'third-party-licenses.txt'), licenses);
  copyFileSync(join(project, 'LICENSE'), join(folder, 'LICENSE'));
  const page = readFileSync(join(project, 'docs', 'cli.md'), 'utf8');
  writeFileSync(join(folder, 'README.md'), dropLinks(page));
};

/** Resolves to the path of the tarball, which is named after the package and its version. */
export const packInto = async (folder: string): Promise<string> => {
  const staging = mkdtempSync(join(tmpdir(), 'registry-package-'));
  try {
    await writePackage(staging);
    mkdirSync(folder, { recursive: true });
    const args = ['pack', '--silent', '--pack-destination', folder];
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: staging, encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
    return join(folder, stdout.trim());
  } finally {
    rmSync(staging, { recursive: true });
  }
};

if (import.meta.main) console.log(`Wrote ${await packInto(join(project, 'dist'))}`);
