import { describe, expect, it } from 'vitest';
import { readCycloneDxVex } from '../../cli/commands/vulnerability-accept/vex/cyclonedx-vex.ts';
import { readOpenVex } from '../../cli/commands/vulnerability-accept/vex/openvex.ts';
import { planAcceptances } from '../../cli/commands/vulnerability-accept/vex/plan.ts';

const cve = 'CVE-2021-23337';
const lodash = { ecosystem: 'npm', name: 'lodash', version: '4.17.20' };

const openVex = (...statements: object[]) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://example.com/vex-1',
  author: 'Acme',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements,
});

const statement = (fields: object = {}) => ({
  vulnerability: { name: cve },
  products: [{ '@id': 'pkg:npm/lodash@4.17.20' }],
  status: 'not_affected',
  justification: 'vulnerable_code_not_present',
  ...fields,
});

const planOpenVex = (statements: object[], everywhere = false) =>
  planAcceptances(readOpenVex(openVex(...statements)), { everywhere });

const why = ({ leftOut }: ReturnType<typeof planAcceptances>) => leftOut.map((one) => one.why);

describe('a statement that ends', () => {
  const notes = 'In all packages. Valid until';

  it('is accepted at most until its end, which is no part of the reason', () => {
    const future = '2999-01-01T00:00:00.000Z';

    expect(planOpenVex([statement({ status_notes: `${notes} ${future}.` })]).planned).toEqual([
      {
        ...{ vulnerability: cve, scope: lodash, until: future },
        reason: 'vulnerable_code_not_present: In all packages. (VEX by Acme)',
      },
    ]);
  });

  it('is left out afterwards', () => {
    const plan = planOpenVex([statement({ status_notes: `${notes} 2020-01-01T00:00:00Z.` })]);

    expect(why(plan)).toEqual([
      'has the status not_affected, which was valid until 2020-01-01T00:00:00Z',
    ]);
  });
});

describe('a risk that the author of an OpenVEX document accepts', () => {
  const affected = (until: string, fields: object = {}) =>
    statement({
      ...{ status: 'affected', justification: undefined },
      action_statement: `Risk accepted until ${until}: Tests only (by ana)`,
      ...fields,
    });
  const [past, future] = ['2020-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];
  const plan = (acceptedRisks: boolean, ...statements: object[]) =>
    planAcceptances(readOpenVex(openVex(...statements)), { everywhere: false, acceptedRisks });
  const harmless = statement({ products: [{ '@id': 'pkg:npm/lodash' }] });

  it('is accepted on request, at most as long', () => {
    expect(plan(true, affected(future))).toEqual({
      planned: [
        {
          ...{ vulnerability: cve, scope: lodash, until: future },
          reason: 'Tests only (by ana) (risk accepted by Acme)',
        },
      ],
      leftOut: [],
    });
  });

  it.each([
    ['without the request', false, future, /^has the status affected, and its author accepts/],
    ['after its time', true, past, /^has the status affected, and was accepted until 2020/],
  ])('is left out %s', (_, acceptedRisks, until, expected) => {
    const result = plan(acceptedRisks, affected(until));

    expect(result.planned).toEqual([]);
    expect(why(result)).toEqual([expect.stringMatching(expected)]);
  });

  it('contradicts a harmless product, unless it is accepted, too', () => {
    expect(plan(true, harmless, affected(future)).planned).toHaveLength(2);
    expect(plan(false, harmless, affected(future)).planned).toEqual([]);
    expect(plan(true, harmless, affected(past)).planned).toEqual([]);
  });

  it('is no risk with another action or status', () => {
    const other = { action_statement: 'Update to 4.17.21' };

    expect(plan(true, affected(future, other)).planned).toEqual([]);
    expect(plan(true, affected(future, { status: 'under_investigation' })).planned).toEqual([]);
  });
});

describe('an OpenVEX document', () => {
  it('accepts vulnerabilities that do not affect a product, with its reasons', () => {
    const { planned, leftOut } = planOpenVex([statement({ impact_statement: 'Compiled out' })]);

    expect(leftOut).toEqual([]);
    expect(planned).toEqual([
      {
        vulnerability: cve,
        scope: lodash,
        reason: 'vulnerable_code_not_present: Compiled out (VEX by Acme)',
      },
    ]);
  });

  it.each([
    ['@id', { '@id': 'pkg:npm/lodash@4.17.20' }, lodash],
    ['a bare text, as of version 0.0.1', 'pkg:npm/lodash@4.17.20', lodash],
    ['identifiers', { '@id': 'x', identifiers: { purl: 'pkg:npm/lodash@4.17.20' } }, lodash],
    ['no version', 'pkg:pypi/Flask', { ecosystem: 'pypi', name: 'Flask', version: null }],
    [
      'a scope without version',
      'pkg:npm/%40types/node',
      { ecosystem: 'npm', name: '@types/node', version: null },
    ],
    [
      'a group',
      'pkg:maven/org.slf4j/slf4j-api@2.0.0',
      { ecosystem: 'maven', name: 'org.slf4j:slf4j-api', version: '2.0.0' },
    ],
  ])('names its product by %s', (_, product, scope) => {
    expect(planOpenVex([statement({ products: [product] })]).planned).toMatchObject([{ scope }]);
  });

  it.each([
    ['affected', { status: 'affected' }, 'has the status affected'],
    ['fixed', { status: 'fixed' }, 'has the status fixed'],
    [
      'under_investigation',
      { status: 'under_investigation' },
      'has the status under_investigation',
    ],
    ['no product', { products: [] }, 'names no product; --everywhere accepts it in all packages'],
    ['another ecosystem', { products: ['pkg:deb/debian/curl@7'] }, /names no package URL of/],
    ['no package URL', { products: ['lodash'] }, /names no package URL of/],
    [
      'a version that can be none',
      { products: ['pkg:npm/lodash@latest'] },
      'names no version that npm can have',
    ],
    ['no id', { vulnerability: { name: 'é' } }, 'names no vulnerability by an id'],
  ])('omits, with a reason: %s', (_, fields, expected) => {
    const plan = planOpenVex([statement(fields)]);

    expect(plan.planned).toEqual([]);
    expect(why(plan)).toEqual([
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ]);
  });

  it('accepts statements without a product everywhere, if the option allows it', () => {
    const { planned } = planOpenVex([statement({ products: undefined })], true);

    expect(planned).toMatchObject([{ scope: { ecosystem: null, name: null, version: null } }]);
  });

  it('uses its latest statement', () => {
    const earlier = statement({ timestamp: '2025-01-01T00:00:00Z' });
    const later = statement({ status: 'affected', timestamp: '2026-06-01T00:00:00Z' });

    expect(planOpenVex([later, earlier]).planned).toEqual([]);
    expect(planOpenVex([{ ...later, timestamp: '2024-01-01T00:00:00Z' }, earlier]).planned).toEqual(
      [expect.objectContaining({ scope: lodash })],
    );
  });

  it('accepts nothing that it calls harmful under another spelling', () => {
    const harmful = statement({ status: 'affected', vulnerability: { name: cve.toLowerCase() } });

    const plan = planOpenVex([statement(), harmful, statement({ products: ['pkg:npm/a@1.0.0'] })]);

    expect(plan.planned).toMatchObject([{ scope: { name: 'a' } }]);
  });

  it.each([
    ['one of the versions', ['pkg:npm/lodash'], ['pkg:npm/lodash@4.17.20']],
    ['all versions', ['pkg:npm/lodash@4.17.20'], ['pkg:npm/lodash']],
    ['versions that cannot be read', ['pkg:npm/lodash@4.17.20'], ['pkg:npm/lodash@vers:<5']],
    ['whatever has it', ['pkg:npm/lodash@4.17.20'], []],
    ['any package', [], ['pkg:npm/lodash@4.17.20']],
    ['a product without a package URL', [], ['Acme Shop']],
  ])('accepts nothing that it calls harmful in %s', (_, products, harmed) => {
    const harmful = statement({ status: 'affected', products: harmed });

    const plan = planOpenVex([statement({ products }), harmful], true);

    expect(plan.planned).toEqual([]);
    expect(why(plan)).toContainEqual(
      expect.stringMatching(/^is contradicted: CVE-2021-23337 has the status affected/),
    );
  });

  describe('with another id of the same, harmful vulnerability', () => {
    const ghsa = 'GHSA-35jh-r3h4-6jhm';
    const named = (name: string, ...aliases: readonly string[]) => ({
      vulnerability: { name, aliases },
    });
    const affected = { status: 'affected', justification: undefined };
    const contradicted = `is contradicted: ${ghsa} has the status affected in pkg:npm/lodash@4.17.20`;

    it.each<[string, object, object]>([
      ['by the aliases of the harmless', named(cve, ghsa), named(ghsa)],
      ['by the aliases of the harmful', named(cve), named(ghsa, cve)],
      ['in another case', named(cve), named(ghsa, cve.toLowerCase())],
      ['by a third id that both name', named(cve, 'OSV-1'), named(ghsa, 'OSV-1')],
      [
        'by the address of the vulnerability',
        { vulnerability: { name: cve, '@id': 'https://example.com/cve' } },
        { vulnerability: { name: ghsa, '@id': 'https://example.com/cve' } },
      ],
    ])('accepts nothing of it, connected %s', (_, one, other) => {
      const harmless = statement(one);
      const harmful = statement({ ...affected, ...other });

      for (const statements of [
        [harmless, harmful],
        [harmful, harmless],
      ]) {
        const plan = planOpenVex(statements);
        expect(plan.planned).toEqual([]);
        expect(why(plan)).toContain(contradicted);
      }
    });

    it('accepts nothing that the registry knows by that id', () => {
      const claims = readOpenVex(openVex(statement(), statement({ ...affected, ...named(ghsa) })));

      const plan = planAcceptances(claims, { everywhere: false, aliases: [[cve, ghsa]] });

      expect(planAcceptances(claims, { everywhere: false }).planned).toHaveLength(1);
      expect(plan.planned).toEqual([]);
      expect(why(plan)).toContain(contradicted);
    });

    it.each([
      ['2026-02-01T01:00:00+02:00', '2026-01-31T23:30:00Z', 0],
      ['2026-01-31T23:30:00Z', '2026-02-01T01:00:00+02:00', 1],
      ['2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z', 0],
      ['yesterday', '2026-02-01T00:00:00Z', 0],
      ['2026-02-01T00:00:00Z', 'yesterday', 0],
    ])('uses the later one: harmless at %s, harmful at %s', (harmlessAt, harmfulAt, count) => {
      const harmless = statement({ ...named(cve, ghsa), timestamp: harmlessAt });
      const harmful = statement({ ...affected, ...named(ghsa), timestamp: harmfulAt });

      expect(planOpenVex([harmful, harmless]).planned).toHaveLength(count);
      expect(planOpenVex([harmless, harmful]).planned).toHaveLength(count);
    });

    it('uses the later statement for the same product only', () => {
      const harmless = statement({ ...named(cve, ghsa), timestamp: '2026-06-01T00:00:00Z' });
      const harmful = statement({ ...affected, ...named(ghsa), products: ['pkg:npm/lodash'] });

      expect(planOpenVex([harmful, harmless]).planned).toEqual([]);
    });
  });

  it.each([
    ['pkg:npm/lodash?vers=vers:npm%2F%3C4', /names a range of versions \(vers\)/],
    ['pkg:npm/lodash@4.17.20?VERS=x', /names a range of versions \(vers\)/],
    ['pkg:npm/lodash@4.17.20?repository_url=https://mirror.example.com', /another repository/],
    ['pkg:npm/lodash@4.17.20?download_url=https://example.com/a.tgz', /\(download_url\)/],
    ['pkg:pypi/flask@3.0.0?a=b&vcs_url=git%2Bhttps://example.com/a.git', /\(vcs_url\)/],
    ['pkg:pypi/flask@3.0.0?file_name=flask.tar.gz', /one file of a package/],
    ['pkg:maven/org.slf4j/slf4j-api@2.0.0?classifier=sources', /one file of a package/],
    ['pkg:npm/lodash@4.17.20#lib/index.js', /a path within a package/],
    ['pkg:docker/nginx@1.27?vers=x', /names a range of versions/],
  ])('accepts nothing for a narrower product: %s', (product, expected) => {
    const plan = planOpenVex([statement({ products: [product] })]);

    expect(plan.planned).toEqual([]);
    expect(why(plan)).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    ['pkg:oci/nginx@1.27?repository_url=ghcr.io/acme/nginx&arch=amd64', 'ghcr.io/acme/nginx'],
    ['pkg:docker/acme/nginx@1.27?repository_url=ghcr.io', 'ghcr.io/acme/nginx'],
    ['pkg:maven/org.slf4j/slf4j-api@2.0.0?type=jar', 'org.slf4j:slf4j-api'],
  ])('accepts a product that names just a version: %s', (product, name) => {
    expect(planOpenVex([statement({ products: [product] })]).planned).toMatchObject([
      { scope: { name } },
    ]);
  });

  it.each(['?vers=vers:npm%2F%3C4', '?repository_url=https://mirror.example.com', '#lib'])(
    'treats a harmful narrower product as a harmful version: %s',
    (end) => {
      const harmful = statement({ status: 'affected', products: [`pkg:npm/lodash${end}`] });

      expect(planOpenVex([statement(), harmful]).planned).toEqual([]);
    },
  );

  it('accepts a vulnerability that is harmful only elsewhere', () => {
    const harmed = ['pkg:npm/lodash@4.17.2', 'pkg:npm/lodash-es', 'pkg:deb/debian/curl@7'];
    const harmful = statement({ status: 'affected', products: harmed });

    expect(planOpenVex([statement(), harmful]).planned).toMatchObject([{ scope: lodash }]);
  });

  it('accepts nothing of a product with a harmful part', () => {
    const through = (part: string) => ({
      products: [{ '@id': 'pkg:npm/lodash@4.17.20', subcomponents: [{ '@id': part }] }],
    });
    const harmful = statement({ status: 'affected', ...through('pkg:npm/x@1.0.0') });
    const fixed = statement(through('pkg:npm/x@1.0.0'));
    const harmless = statement(through('pkg:npm/y@1.0.0'));

    expect(planOpenVex([harmful, harmless]).planned).toEqual([]);
    expect(planOpenVex([harmful, fixed, harmless]).planned).toMatchObject([{ scope: lodash }]);
  });

  it('cuts long reasons, and keeps their author', () => {
    const [plan] = planOpenVex([statement({ impact_statement: 'x'.repeat(5000) })]).planned;

    expect(plan?.reason).toHaveLength(2000);
    expect(plan?.reason).toMatch(/x \(VEX by Acme\)$/);
  });
});

const cycloneDx = (vulnerabilities: object[], more: object = {}) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  vulnerabilities,
  ...more,
});

const analysed = (fields: object = {}) => ({
  id: cve,
  analysis: { state: 'not_affected', justification: 'code_not_reachable', detail: 'Never called' },
  affects: [{ ref: 'pkg:npm/lodash@4.17.20' }],
  ...fields,
});

const planCycloneDx = (vulnerabilities: object[], more?: object) =>
  planAcceptances(readCycloneDxVex(cycloneDx(vulnerabilities, more)), { everywhere: false });

describe('a CycloneDX VEX document', () => {
  it.each(['not_affected', 'false_positive'])('accepts a vulnerability that is %s', (state) => {
    const analysis = { state, justification: 'code_not_reachable', detail: 'Never called' };

    expect(planCycloneDx([analysed({ analysis })]).planned).toEqual([
      {
        vulnerability: cve,
        scope: lodash,
        reason: 'code_not_reachable: Never called (VEX by CycloneDX)',
      },
    ]);
  });

  it.each([
    ['exploitable', { analysis: { state: 'exploitable' } }, 'has the status exploitable'],
    ['resolved', { analysis: { state: 'resolved' } }, 'has the status resolved'],
    ['in triage', { analysis: { state: 'in_triage' } }, 'has the status in_triage'],
    ['no analysis', { analysis: undefined }, 'has the status no analysis'],
    ['nothing affected', { affects: [] }, /names no product/],
    [
      'a range',
      { affects: [{ ref: 'pkg:npm/lodash', versions: [{ range: 'vers:npm/<4' }] }] },
      /names no version that npm can have/,
    ],
  ])('omits: %s', (_, fields, expected) => {
    const plan = planCycloneDx([analysed(fields)]);

    expect(plan.planned).toEqual([]);
    expect(why(plan)).toEqual([
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ]);
  });

  it('finds components by their references, also those in another document', () => {
    const components = [
      { 'bom-ref': 'a', name: 'outer', components: [{ 'bom-ref': 'b', purl: 'pkg:npm/b@1.0.0' }] },
      { 'bom-ref': 'c c', purl: 'pkg:npm/c@1.0.0' },
    ];
    const affects = [{ ref: 'b' }, { ref: 'urn:cdx:0b2f/1#c%20c' }];

    const { planned } = planCycloneDx([analysed({ affects })], { components });

    expect(planned.map(({ scope }) => scope.name)).toEqual(['b', 'c']);
  });

  it("applies a statement about a part to the document's subject", () => {
    const metadata = {
      component: { 'bom-ref': 'main', purl: 'pkg:docker/acme/shop@2.4.0' },
    };

    const { planned } = planCycloneDx([analysed()], { metadata });

    expect(planned).toEqual([
      {
        vulnerability: cve,
        scope: { ecosystem: 'docker', name: 'acme/shop', version: '2.4.0' },
        reason: 'code_not_reachable: in pkg:npm/lodash@4.17.20: Never called (VEX by CycloneDX)',
      },
    ]);
  });

  it('accepts nothing that is harmful under an equivalent id', () => {
    const references = [{ id: 'GHSA-35jh-r3h4-6jhm', source: { name: 'GitHub' } }];
    const harmful = { id: 'GHSA-35jh-r3h4-6jhm', analysis: { state: 'exploitable' } };

    const plan = planCycloneDx([analysed({ references }), analysed(harmful)]);

    expect(plan.planned).toEqual([]);
    expect(why(plan)[0]).toMatch(/^is contradicted: GHSA-\S+ has the status exploitable/);
  });

  it.each([
    ['a qualifier', [{ ref: 'pkg:npm/lodash?vers=vers:npm%2F%3C4' }], /range of versions/],
    [
      'versions that are all unaffected',
      [{ ref: 'pkg:npm/lodash', versions: [{ version: '1.0.0', status: 'unaffected' }] }],
      /names no version that npm can have/,
    ],
  ])('does not treat a part of a product as the product: %s', (_, affects, expected) => {
    const plan = planCycloneDx([analysed({ affects })]);

    expect(plan.planned).toEqual([]);
    expect(why(plan)).toEqual([expect.stringMatching(expected)]);
  });

  it('applies to the listed versions, except unaffected ones', () => {
    const versions = [{ version: '1.0.0' }, { version: '2.0.0', status: 'unaffected' }];

    const { planned } = planCycloneDx([
      analysed({ affects: [{ ref: 'pkg:npm/lodash', versions }] }),
    ]);

    expect(planned.map(({ scope }) => scope.version)).toEqual(['1.0.0']);
  });
});
