import { expect, it } from 'vitest';
import { listFileDigests } from '../../../shared/domain/facts/file-digests.ts';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';

const sha256 = 'ab'.repeat(32);
const sha1 = 'cd'.repeat(20);

it.each<[Manifest, string, object[]]>([
  [
    { kind: 'npm', version: { dist: { integrity: 'sha512-AAAA', shasum: sha1, tarball: 'y' } } },
    '@acme/tool',
    [{ file: 'tool-1.0.0.tgz', digest: 'sha512-AAAA', url: 'y' }],
  ],
  [
    { kind: 'npm', version: { dist: { shasum: sha1 } } },
    'tool',
    [{ file: 'tool-1.0.0.tgz', digest: `sha1-${'zc3N'.repeat(6)}zc0=`, url: null }],
  ],
  [{ kind: 'npm', version: { dist: {} } }, 'tool', []],
  [
    {
      kind: 'pypi',
      files: [
        { filename: 'tool-1.0.0.tar.gz', url: 'x', hashes: { md5: 'x', sha256 } },
        { filename: 'tool-1.0.0.zip', url: 'x', hashes: { md5: 'never served' } },
      ],
    },
    'tool',
    [{ file: 'tool-1.0.0.tar.gz', digest: `sha256:${sha256}`, url: 'x' }],
  ],
  [
    {
      kind: 'maven',
      files: [
        { name: 'tool-1.0.0.pom', checksums: { md5: 'x', sha1, sha256 } },
        { name: 'tool-1.0.0.jar', checksums: { sha1 } },
        { name: 'tool-1.0.0-sources.jar', checksums: {} },
      ],
      ...{ parents: [], boms: [] },
    },
    'org.acme:tool',
    [
      { file: 'tool-1.0.0.pom', digest: `sha256:${sha256}`, url: null },
      { file: 'tool-1.0.0.jar', digest: `sha1:${sha1}`, url: null },
      { file: 'tool-1.0.0-sources.jar', digest: null, url: null },
    ],
  ],
  [
    {
      kind: 'docker',
      digest: `sha256:${sha256}`,
      images: [{ platform: 'linux/amd64', digest: `sha256:${'ef'.repeat(32)}`, size: 7 }],
    },
    'tool',
    [
      { file: 'index', digest: `sha256:${sha256}`, url: null },
      { file: 'linux/amd64', digest: `sha256:${'ef'.repeat(32)}`, url: null },
    ],
  ],
])('lists the files that the gate serves: %j', (manifest, name, files) => {
  const ecosystem = manifest.kind;

  expect(listFileDigests({ ecosystem, name, version: '1.0.0' }, manifest)).toEqual(files);
});
