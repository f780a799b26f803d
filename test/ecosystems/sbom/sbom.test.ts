import { describe, expect, it } from 'vitest';
import { listDependencies, listUnpinned, read, readExample } from '../lockfiles/example.ts';

const ofNpm = [
  'debug@4.4.1',
  'left-pad@1.3.0',
  'ms@2.1.3 < debug@4.4.1',
  'wrappy@1.0.2 < tool@1.0.0',
];

it('reads what npm 10 writes as CycloneDX', () => {
  const file = readExample('bills/npm-10.cdx.json');

  expect(file.format).toBe('cyclonedx');
  expect(listDependencies(file)).toEqual(ofNpm);
  expect(listUnpinned(file)).toEqual(['git tool@1.0.0']);
  expect(file.own).toEqual(['shop', '@shop/core']);
});

it('reads what npm 12 writes as SPDX, which does not tell members of a workspace apart', () => {
  const file = readExample('bills/npm-12.spdx.json');

  expect(file.format).toBe('spdx');
  expect(listDependencies(file)).toEqual(['@shop/core@1.0.0', ...ofNpm]);
  expect(listUnpinned(file)).toEqual(['git tool@1.0.0']);
  expect(file.own).toEqual(['shop']);
});

it('reads what Maven writes, with licenses', () => {
  const file = readExample('bills/cyclonedx-maven-2.7.cdx.json');

  expect(file.own).toEqual(['com.example:shop']);
  expect(file.dependencies).toMatchObject([
    { name: 'org.slf4j:slf4j-simple', version: '2.0.9', license: 'MIT', through: [] },
    { name: 'org.slf4j:slf4j-api', through: ['org.slf4j:slf4j-simple@2.0.9'] },
  ]);
});

it('reads what is written of requirements of Python', () => {
  const file = readExample('bills/cyclonedx-py-7.cdx.json');

  expect(listDependencies(file)).toEqual(
    ['click@8.1.7', 'iniconfig@2.0.0', 'packaging@24.1', 'pluggy@1.5.0'].map((one) => `${one} < ?`),
  );
  expect(listUnpinned(file)).toEqual(['git pytool', 'no_purl local', 'url pyurl']);
});

const cycloneDx = (components: readonly object[], more: object = {}) =>
  read(
    'bom.json',
    JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', components, ...more }),
  );

const library = (purl: string, more: object = {}) => ({
  type: 'library',
  name: purl,
  'bom-ref': purl,
  purl,
  ...more,
});

describe('a CycloneDX document', () => {
  it.each([
    ['pkg:npm/%40types/node@22.0.0', 'npm', '@types/node', '22.0.0'],
    ['pkg:pypi/Flask@3.0.0', 'pypi', 'flask', '3.0.0'],
    ['pkg:maven/org.slf4j/slf4j-api@2.0.9?type=jar', 'maven', 'org.slf4j:slf4j-api', '2.0.9'],
    ['pkg:docker/library/node@22', 'docker', 'node', '22'],
  ])('names by %s the package of %s', (purl, ecosystem, name, version) => {
    expect(cycloneDx([library(purl)]).dependencies).toMatchObject([{ ecosystem, name, version }]);
  });

  it.each([
    [library('pkg:golang/golang.org/x/net@v0.1.0'), 'other_ecosystem'],
    [library('pkg:deb/debian/openssl@3.0.11'), 'other_ecosystem'],
    [library('not a purl'), 'unreadable'],
    [library('pkg:npm/a/b/c@1.0.0'), 'unreadable'],
    [library('pkg:npm/lodash'), 'no_version'],
    [library('pkg:npm/lodash', { version: '^4.0.0' }), 'range'],
    [library('pkg:npm/a@1.0.0?vcs_url=git%2Bhttps://git.example.com/a.git'), 'git'],
    [library('pkg:npm/a@1.0.0?download_url=https://files.example.com/b/-/b-1.0.0.tgz'), 'url'],
    [{ type: 'library', name: 'a', version: '1' }, 'no_purl'],
    [{ type: 'operating-system', name: 'debian', version: '12' }, 'not_a_package'],
    [{ type: 'application', name: 'package-lock.json' }, 'not_a_package'],
  ])('leaves %j, for it is of the kind %s', (component, reason) => {
    const { dependencies, unpinned } = cycloneDx([component]);

    expect(dependencies).toEqual([]);
    expect(unpinned).toMatchObject([{ reason }]);
  });

  it('takes an image for its digest, with the tag beside it', () => {
    const digest = `sha256:${'c'.repeat(64)}`;
    const purl = `pkg:docker/nginx@${encodeURIComponent(digest)}?tag=1.27`;

    expect(cycloneDx([library(purl)]).dependencies).toMatchObject([
      { ecosystem: 'docker', name: 'nginx', version: digest, tag: '1.27' },
    ]);
  });

  it('tells what pulled a component in, and passes over the lockfile between', () => {
    const file = cycloneDx(
      [
        { type: 'application', name: 'package-lock.json', 'bom-ref': 'lock' },
        library('pkg:npm/a@1.0.0', { name: 'a', version: '1.0.0' }),
        library('pkg:npm/b@1.0.0', { components: [library('pkg:npm/c@1.0.0')] }),
      ],
      {
        metadata: { component: { type: 'application', name: 'shop', 'bom-ref': 'shop' } },
        dependencies: [
          { ref: 'shop', dependsOn: ['lock'] },
          { ref: 'lock', dependsOn: ['pkg:npm/a@1.0.0'] },
          { ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/b@1.0.0', 'shop'] },
        ],
      },
    );

    expect(listDependencies(file)).toEqual(['a@1.0.0', 'b@1.0.0 < a@1.0.0', 'c@1.0.0 < ?']);
    expect(file.own).toEqual(['shop']);
  });
});

describe('a CycloneDX document that says how complete it is', () => {
  const explain = (...compositions: readonly object[]) =>
    cycloneDx([library('pkg:npm/a@1.0.0')], { compositions }).incomplete;

  it.each(['incomplete', 'incomplete_first_party_only', 'unknown'])(
    'lacks packages, or may, where a part is %s',
    (aggregate) => {
      const assemblies = ['pkg:npm/a@1.0.0'];

      expect(explain({ aggregate })).toMatch(/^It says itself that it lacks packages, or may/);
      expect(explain({ aggregate: 'complete' }, { aggregate, assemblies })).toMatch(/^It says/);
    },
  );

  it.each([
    [],
    [{ aggregate: 'complete' }],
    [{ aggregate: 'not_specified' }],
    [{ aggregate: 'incomplete', vulnerabilities: ['v'] }],
  ])('lacks none: %j', (...compositions) => {
    expect(explain(...compositions)).toBeUndefined();
  });

  it('is not believed for what another part quotes', () => {
    const description = '"aggregate": "incomplete"';

    expect(cycloneDx([library('pkg:npm/a@1.0.0', { description })]).incomplete).toBeUndefined();
  });
});

const spdxDocument = {
  spdxVersion: 'SPDX-2.3',
  packages: [
    { SPDXID: 'SPDXRef-shop', name: 'shop', versionInfo: 'main' },
    {
      SPDXID: 'SPDXRef-a',
      name: 'npm:a',
      versionInfo: '1.0.0',
      licenseDeclared: 'NOASSERTION',
      licenseConcluded: 'MIT',
      externalRefs: [
        {
          referenceCategory: 'PACKAGE_MANAGER',
          referenceType: 'purl',
          referenceLocator: 'pkg:npm/a@1.0.0',
        },
      ],
    },
  ],
  relationships: [
    {
      spdxElementId: 'SPDXRef-DOCUMENT',
      relationshipType: 'DESCRIBES',
      relatedSpdxElement: 'SPDXRef-shop',
    },
    {
      spdxElementId: 'SPDXRef-a',
      relationshipType: 'DEV_DEPENDENCY_OF',
      relatedSpdxElement: 'SPDXRef-shop',
    },
  ],
};

it.each([
  ['by itself', spdxDocument],
  ['as GitHub exports it', { sbom: spdxDocument }],
])('reads SPDX %s', (_, document) => {
  expect(read('shop.spdx.json', JSON.stringify(document))).toMatchObject({
    dependencies: [{ ecosystem: 'npm', name: 'a', version: '1.0.0', license: 'MIT', through: [] }],
    unpinned: [],
    own: ['shop'],
  });
});

describe('an SPDX document', () => {
  const explain = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => {
    const relation = { spdxElementId, relationshipType, relatedSpdxElement };
    const relationships = [...spdxDocument.relationships, relation];
    return read('a.spdx.json', JSON.stringify({ ...spdxDocument, relationships })).incomplete;
  };

  it.each([
    ['SPDXRef-shop', 'DEPENDS_ON', 'NOASSERTION'],
    ['SPDXRef-a', 'DEPENDS_ON', 'NOASSERTION'],
    ['SPDXRef-a', 'HAS_PREREQUISITE', 'NOASSERTION'],
    ['SPDXRef-shop', 'CONTAINS', 'NOASSERTION'],
    ['NOASSERTION', 'DEPENDENCY_OF', 'SPDXRef-a'],
    ['NOASSERTION', 'PREREQUISITE_FOR', 'SPDXRef-shop'],
  ])('says that it lacks packages, or may, by %s %s %s', (id, type, other) => {
    expect(explain(id, type, other)).toMatch(/^It says itself that it lacks packages/);
  });

  it.each([
    ['SPDXRef-a', 'DEPENDS_ON', 'NONE'],
    // What is in a single package is no dependency.
    ['SPDXRef-a', 'CONTAINS', 'NOASSERTION'],
    ['SPDXRef-shop', 'OTHER', 'NOASSERTION'],
  ])('does not say so by %s %s %s', (id, type, other) => {
    expect(explain(id, type, other)).toBeUndefined();
  });
});

it.each([
  ['a.spdx', 'SPDXVersion: SPDX-2.3\nPackageName: a\n', 'as tags and values'],
  ['a.json', '{"@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld"}', 'SPDX 3'],
  ['bom.json', '{"bomFormat": "CycloneDX", "specVersion": "2.0"}', 'no CycloneDX document'],
  ['a.xml', '<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.5">', 'as XML'],
])('refuses %s %j and says what to write', (path, text, message) => {
  expect(() => read(path, text)).toThrow(message);
});
