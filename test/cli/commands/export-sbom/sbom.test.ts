import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { writeSbom } from '../../../../cli/commands/export-sbom/sbom.ts';
import {
  noDetails,
  readDetails,
  type SbomVersion,
} from '../../../../cli/commands/export-sbom/sbom-version.ts';
import { evidence } from '../../../../shared/api/openapi/examples/review.ts';
import { readDependencyFile } from '../../../../shared/ecosystems/parse-dependency-file.ts';

/** The official schemas, which the library of CycloneDX brings along. */
const folder = join(
  dirname(fileURLToPath(import.meta.resolve('@cyclonedx/cyclonedx-library/package.json'))),
  'res/schema',
);
const readSchema = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8'));

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
// JSON Schema of 2019 has these formats.
ajv.addFormat('iri-reference', true);
ajv.addFormat('idn-email', true);
for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
  const address = `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`;
  ajv.addSchema({ ...readSchema(name), $id: address });
}
const validate = ajv.compile(readSchema('bom-1.6'));

const digest = `sha256:${'ab'.repeat(32)}`;
const listed = { ...noDetails, direct: true, status: 'approved' } as const;

const file = (name: string, hash: string, url: string | null = null) => ({
  ...{ file: name, digest: hash, url },
});

const versions: readonly SbomVersion[] = [
  {
    ...{ ecosystem: 'npm', name: '@types/node', version: '22.0.0', ...listed },
    ...readDetails(evidence),
  },
  { ecosystem: 'npm', name: 'JSONStream', version: '1.3.5', ...listed, direct: false },
  {
    ...{ ecosystem: 'pypi', name: 'zope-interface', version: '6.0', ...listed },
    license: { text: 'ZPL-2.1 OR LicenseRef-Acme', isExpression: true },
    files: [
      file('zope.interface-6.0.tar.gz', digest, 'https://files.example.com/z.tar.gz'),
      file(
        'zope.interface-6.0.whl',
        `sha256:${'cd'.repeat(32)}`,
        'https://files.example.com/z.whl',
      ),
    ],
  },
  {
    ...{ ecosystem: 'maven', name: 'org.slf4j:slf4j-api', version: '2.0.9', ...listed },
    ...{ direct: null, license: { text: 'Our "own" license', isExpression: false } },
    files: [file('slf4j-api-2.0.9.jar', `sha1:${'12'.repeat(20)}`)],
  },
  { ecosystem: 'docker', name: 'nginx', version: '1.27', ...listed, status: 'unknown' },
  { ecosystem: 'docker', name: 'ghcr.io/acme/team/shop', version: digest, ...listed },
  { ecosystem: 'docker', name: 'localhost:5000/shop', version: '2', ...listed, direct: false },
];

const terms = {
  now: new Date('2026-11-28T08:00:00.000Z'),
  serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
};
const write = (list = versions): string => writeSbom({ project: 'shop', ref: 'main' }, list, terms);

describe('the SBOM of a project', () => {
  it('is valid by the official schema of CycloneDX 1.6', () => {
    for (const text of [write(), write([])]) {
      expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
    }
    expect(JSON.parse(write())).toMatchObject({
      ...{ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: terms.serialNumber },
      metadata: {
        timestamp: terms.now.toISOString(),
        component: { type: 'application', name: 'shop', version: 'main' },
      },
    });
  });

  it('is refused by the schema after a change, so that the schema checks something', () => {
    expect(validate({ ...JSON.parse(write()), specVersion: '1.6', components: [{}] })).toBe(false);
  });

  it('is read back by a check with the same packages', () => {
    const read = readDependencyFile('bom.json', write());

    const names = read.dependencies.map(({ ecosystem, name, version }) => ({
      ...{ ecosystem, name, version },
    }));
    expect(read.format).toBe('cyclonedx');
    expect(read.unpinned).toEqual([]);
    expect(read.incomplete).toBeUndefined();
    expect(new Set(names)).toEqual(
      new Set(versions.map(({ ecosystem, name, version }) => ({ ecosystem, name, version }))),
    );
  });

  it('is read back with licenses, digests and direct dependencies', () => {
    const { dependencies } = readDependencyFile('bom.json', write());

    const find = (name: string) => dependencies.find((one) => one.name === name);
    const hex = Buffer.from(
      evidence.files.files[0]?.digest.replace('sha512-', '') ?? '',
      'base64',
    ).toString('hex');
    expect(find('@types/node')).toMatchObject({
      ...{ license: 'MIT', hashes: [`SHA-512:${hex}`], through: [] },
    });
    expect(find('JSONStream')).toMatchObject({ license: undefined, through: undefined });
    expect(find('zope-interface')).toMatchObject({
      license: 'ZPL-2.1 OR LicenseRef-Acme',
      hashes: [`SHA-256:${'ab'.repeat(32)}`, `SHA-256:${'cd'.repeat(32)}`],
    });
    expect(find('org.slf4j:slf4j-api')).toMatchObject({
      ...{ license: 'Our "own" license', hashes: [`SHA-1:${'12'.repeat(20)}`] },
      through: undefined,
    });
  });

  it('has each hash of an integrity text of npm', () => {
    const integrity = `sha1:${'12'.repeat(20)} sha512:${'34'.repeat(64)}`;
    const npm = {
      ...{ ecosystem: 'npm' as const, name: 'left-pad', version: '1.3.0', license: null },
      ...{ direct: null, status: 'approved', files: [file('left-pad.tgz', integrity)] },
    };

    expect(JSON.parse(write([npm])).components).toMatchObject([
      {
        hashes: [
          { alg: 'SHA-1', content: '12'.repeat(20) },
          { alg: 'SHA-512', content: '34'.repeat(64) },
        ],
      },
    ]);
  });

  it('states the dependencies of the project alone', () => {
    const { dependencies } = JSON.parse(write());

    expect(dependencies).toEqual([
      {
        ref: 'project:shop@main',
        dependsOn: [
          `pkg:docker/acme/team/shop@${digest}?repository_url=ghcr.io`,
          'pkg:docker/nginx@1.27',
          'pkg:npm/%40types/node@22.0.0',
          'pkg:pypi/zope-interface@6.0',
        ],
      },
    ]);
  });

  it('has the status of each version, and whether it is direct', () => {
    const { components } = JSON.parse(write());

    const properties = Object.fromEntries(
      components.map((one: { purl: string; properties: { name: string; value: string }[] }) => [
        one.purl,
        one.properties.map(({ name, value }) => `${name}=${value}`),
      ]),
    );
    expect(properties['pkg:docker/nginx@1.27']).toEqual([
      'package-registry:direct=true',
      'package-registry:status=unknown',
    ]);
    expect(properties['pkg:maven/org.slf4j/slf4j-api@2.0.9']).toEqual([
      'package-registry:status=approved',
    ]);
  });

  it('is equal for equal versions in another order', () => {
    expect(write(versions.toReversed())).toBe(write());
  });
});

describe('the details of a version', () => {
  it('leave out files if the answer does not have all of them', () => {
    const files = { ...evidence.files, total: 51 };

    expect(readDetails({ ...evidence, files }).files).toEqual([]);
  });

  it('have no license without an effective one', () => {
    const license = { ...evidence.license, effective: null };

    expect(readDetails({ ...evidence, license }).license).toBeNull();
  });
});
