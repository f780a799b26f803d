/** Approved versions in bulk, stored as decisions store them. */
import { createHash } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';
import type { PackageId, PackageName } from '../../../shared/domain/packages/package-id.ts';
import { retryRead } from '../../../shared/storage/dynamodb/attempt.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { toPackageItem } from '../../../shared/storage/packages/package-item.ts';
import { formatSequenceNumber } from '../../../shared/storage/packages/version-keys.ts';
import { markVersion } from '../../../shared/storage/packs/pack-items.ts';
import { putFacts } from '../../../shared/storage/reviews/facts-items.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { splitInto } from '../../../shared/util/split-into.ts';

/** Returns bytes that do not compress, and are the same in each run. */
const hash = (text: string, length = 64): Buffer =>
  Buffer.concat([
    createHash('sha512').update(text).digest(),
    createHash('sha512').update(`${text}.`).digest(),
  ]).subarray(0, length);

/** Returns a text that does not compress, of a length in bytes. */
export const makeNoise = (seed: string, length: number): string =>
  Array.from({ length: Math.ceil(length / 64) }, (_, at) =>
    hash(`${seed} ${at}`).toString('base64'),
  )
    .join('')
    .slice(0, Math.ceil((length * 4) / 3));

/** Returns what the registry of npm says of a usual version: signatures and attestations, no two of which are equal. */
const makeNpmManifest = ({ name, version }: PackageId, at = 0): Manifest => ({
  kind: 'npm',
  version: {
    ...{ name, version, description: 'A package of a usual length for tests', main: 'index.js' },
    bin: { [name]: 'bin/main.js' },
    engines: { node: '>=18' },
    dependencies: Object.fromEntries(
      Array.from({ length: 8 }, (_, one) => [`dependency-${one}`, `^${one}.${at % 40}.0`]),
    ),
    dist: {
      tarball: `https://registry.example.com/${name}/-/${name}-${version}.tgz`,
      integrity: `sha512-${hash(version).toString('base64')}`,
      shasum: hash(version, 20).toString('hex'),
      fileCount: 20 + (at % 7),
      unpackedSize: 100_000 + hash(version, 2).readUInt16BE(),
      signatures: [
        {
          keyid: 'SHA256:jl3bwswu80PjjokCgh0o2w5c2U4LhQAE57gj9cz1kzA',
          sig: hash(`${version} signature`, 71).toString('base64'),
        },
      ],
      attestations: {
        url: `https://registry.example.com/-/npm/v1/attestations/${name}@${version}`,
        provenance: { predicateType: 'https://slsa.dev/provenance/v1' },
      },
    },
  },
});

/** Returns what the index of Python packages says of a usual version: a wheel and a source archive with their metadata. */
const makePypiManifest = ({ name, version }: PackageId): Manifest => ({
  kind: 'pypi',
  files: [`${name}-${version}-py3-none-any.whl`, `${name}-${version}.tar.gz`].map((filename) => ({
    filename,
    url: `https://files.example.com/packages/${hash(filename, 32).toString('hex')}/${filename}`,
    hashes: { sha256: hash(`${filename} file`, 32).toString('hex') },
    'requires-python': '>=3.8',
    size: 20_000 + hash(filename, 2).readUInt16BE(),
    'upload-time': new Date(1.6e12 + hash(filename, 4).readUInt32BE() * 10).toISOString(),
    yanked: false,
    'core-metadata': { sha256: hash(`${filename} metadata`, 32).toString('hex') },
  })),
});

const makeMavenManifest = ({ name, version }: PackageId): Manifest => ({
  kind: 'maven',
  files: [
    {
      name: `${name.split(':')[1]}-${version}.jar`,
      checksums: { sha1: hash(version, 20).toString('hex') },
    },
  ],
  parents: [],
  boms: [],
});

const makeManifest = (id: PackageId, at: number): Manifest => {
  if (id.ecosystem === 'npm') return makeNpmManifest(id, at);
  return id.ecosystem === 'pypi' ? makePypiManifest(id) : makeMavenManifest(id);
};

/** Version number of a package with very many versions. */
export const toVersion = (at: number): string =>
  `${Math.floor(at / 40)}.${Math.floor(at / 5) % 8}.${at % 5}`;

const makeDetail = (id: PackageId): PackageDetail =>
  ({
    ...id,
    ...{
      status: 'approved',
      license: 'MIT',
      description: 'A package',
      homepage: null,
      repository: null,
    },
    ...{
      submitted_by: 'ci',
      submitted_token_label: null,
      submitted_at: '2026-11-01T00:00:00.000Z',
    },
    ...{ approved_by: 'ana', approved_token_label: null, approved_at: '2026-11-02T00:00:00.000Z' },
    ...{ rejected_by: null, rejected_token_label: null, rejected_at: null },
    ...{ reason: null, expires_at: null, previous: null },
  }) as const;

/** Stores approved, pinned and marked versions of a package, from a number on. */
export const storeApproved = async (of: PackageName, count: number, from = 0): Promise<void> => {
  const puts = Array.from({ length: count }, (_, nth) => {
    const at = from + nth;
    const id = { ...of, version: toVersion(at) };
    const published = new Date(
      1.5e12 + at * 86_400_000 + hash(id.version, 3).readUIntBE(0, 3),
    ).toISOString();
    const facts = {
      ...({ ...noFacts, found: 'yes', reason: null, published_at: published } as const),
      ...({
        license_declaration: 'readable',
        license_statement: 'MIT',
        licenses_declared: ['MIT'],
      } as const),
    };
    const { digest, writes } = putFacts(id, { facts, manifest: makeManifest(id, at) });
    const item = toPackageItem(makeDetail(id), {
      ...{ sequence: formatSequenceNumber(at + 1), writeId: 'w', note: {} },
    });
    const put = { TableName: 'packages', Item: { ...item, pinned: digest, revision: 1 } };
    const marks = markVersion(id, { revision: 1, pinned: digest });
    return [put, ...[...writes, ...marks].flatMap(({ operation }) => operation.Put ?? [])];
  });
  await runInParallel(splitInto(25, puts.flat()), 2, async (some) => {
    const requests = some.map((one) => ({
      table: String(one.TableName),
      PutRequest: { Item: one.Item },
    }));
    const tables = [...new Set(requests.map(({ table }) => table))];
    const RequestItems = Object.fromEntries(
      tables.map((name) => [
        name,
        requests.filter(({ table }) => table === name).map(({ PutRequest }) => ({ PutRequest })),
      ]),
    );
    await retryRead((options) => dynamodb.send(new BatchWriteCommand({ RequestItems }), options));
  });
};
