import { PutCommand } from '@aws-sdk/lib-dynamodb';
import deprecated from 'spdx-license-ids/deprecated.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import policy from '../../infra/license-policy.json' with { type: 'json' };
import { databaseOf } from '../support/database.ts';
import { decisionsOn } from '../support/decisions.ts';
import { redeploy } from '../support/redeploy.ts';
import { TestRegistry } from '../support/registry.ts';

const token = 'a-token-of-the-license-reviewers';

const licensePath = (name: string, suffix = ''): string =>
  `/api/v1/licenses/${encodeURIComponent(name)}${suffix}`;

const same = (name: string) => [name, name] as const;

let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start({ licenses: true, tokens: `legal:${token}` });
});
afterAll(() => registry.close());

const put = (name: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  registry.send('PUT', licensePath(name), { body, token, headers });

describe('GET /licenses/{name}', () => {
  it('answers what SPDX knows and the policy says', async () => {
    const { status, body } = await registry.get(licensePath('MIT'));

    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'MIT',
      title: 'MIT License',
      status: 'approved',
      category: 'permissive',
      requires_attribution: true,
      allows_commercial: true,
      url: 'https://spdx.org/licenses/MIT.html',
      note: null,
      reviewed_by: null,
      reviewed_token_label: null,
      reviewed_at: null,
    });
    expect(body.compatible_with).toEqual(expect.arrayContaining(['MIT', 'GPL-3.0-only']));
  });

  it.each([
    ['mit', 'MIT'],
    ['GPL-2.0', 'GPL-2.0-only'],
    ['gpl-2.0+', 'GPL-2.0-or-later'],
    ['Apache-2.0+', 'Apache-2.0'],
    ['GPL-2.0-with-classpath-exception', 'GPL-2.0-only WITH Classpath-exception-2.0'],
  ])('answers %s with the record of %s', async (name, known) => {
    const { body } = await registry.get(licensePath(name));

    expect(body.name).toBe(known);
  });

  it.each([
    ['MIT OR GPL-3.0-only', 'approved', 'permissive'],
    ['mit and AGPL-3.0-only', 'rejected', 'network-copyleft'],
    ['(MIT OR AGPL-3.0-only) AND LGPL-2.1-only', 'conditional', 'weak-copyleft'],
    ['GPL-2.0-only WITH Classpath-exception-2.0', 'conditional', 'weak-copyleft'],
    ['MIT OR LicenseRef-Acme', 'approved', 'permissive'],
    ['MIT AND LicenseRef-Acme', 'unreviewed', 'unknown'],
    ['MIT WITH Commons-Clause', 'rejected', 'source-available'],
    ['SSPL-1.0 OR LicenseRef-Acme', 'rejected', 'source-available'],
    ['SSPL-1.0 WITH Acme Addendum', 'rejected', 'unknown'],
  ])('answers %s with the verdict %s', async (name, status, category) => {
    const answer = await registry.get(licensePath(name));

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status, category });
  });

  it.each(['Nope-1.0', ' ', '\0', 'ü'.repeat(2000), 'LicenseRef-a OR LicenseRef-b'])(
    'answers 404 for %j',
    async (name) => {
      const { status, body } = await registry.get(licensePath(name));

      expect(status).toBe(404);
      expect(body.code).toBe('license_not_found');
    },
  );

  it('answers how a text reads beside the text, with what holds for the reading', async () => {
    const name = 'GNU Affero General Public License v3';

    const { status, body } = await registry.get(licensePath(name));

    expect(status).toBe(200);
    expect(body).toMatchObject({ name, normalized: 'AGPL-3.0-only', status: 'rejected' });
    expect(body.url).toBe('https://spdx.org/licenses/AGPL-3.0-only.html');
  });

  it.each([
    ['mit', 'MIT', 'MIT', 'approved'],
    ['BSD', 'BSD', 'BSD-2-Clause AND BSD-3-Clause AND BSD-4-Clause', 'approved'],
    ['MIT/AGPL', 'MIT/AGPL', 'MIT AND AGPL-1.0-or-later', 'rejected'],
    ['Net-SNMP', 'Net-SNMP', 'Net-SNMP', 'approved'],
    ['licenseref-commons-clause', ...same('LicenseRef-Commons-Clause'), 'rejected'],
    ['UNLICENSED', 'UNLICENSED', 'LicenseRef-Proprietary', 'unreviewed'],
    ['Elastic', 'Elastic', 'LicenseRef-Elastic-1.0 AND Elastic-2.0', 'rejected'],
    ['AGPL-3.0-only OR Foo', ...same('AGPL-3.0-only OR Foo'), 'rejected'],
    ['MIT OR GPL-3.0-only', ...same('MIT OR GPL-3.0-only'), 'approved'],
    ['AGPL-3.0 or later', 'AGPL-3.0 or later', 'AGPL-3.0-or-later', 'rejected'],
  ])('answers %s as %s, read as %s: %s', async (asked, name, reading, status) => {
    expect((await registry.get(licensePath(asked))).body).toMatchObject({
      name,
      normalized: reading,
      status,
    });
  });

  it('answers every identifier that SPDX deprecated', async () => {
    const answers = await Promise.all(deprecated.map((id) => registry.get(licensePath(id))));

    expect(deprecated.filter((_, at) => answers[at]?.status !== 200)).toEqual([]);
  });

  it.each([
    ['Apach-2.0', ['Apache-2.0']],
    ['MTI', ['MIT']],
    ['Not MIT', []],
    ['SEE LICENSE IN LICENSE.md', []],
    ['Mozila', ['MPL-1.0', 'MPL-1.1', 'MPL-2.0']],
    ['Nope-1.0', []],
  ])('suggests for %s what may be meant', async (name, did_you_mean) => {
    const { status, body } = await registry.get(licensePath(name));

    expect(status).toBe(404);
    expect(body.did_you_mean).toEqual(did_you_mean);
    expect(body.detail.includes('Did you mean')).toBe(did_you_mean.length > 0);
  });

  it('answers 404 for what is no percent-encoding', async () => {
    expect((await registry.get('/api/v1/licenses/%zz')).status).toBe(404);
  });
});

describe('GET /licenses', () => {
  const list = async (query: string) => (await registry.get(`/api/v1/licenses${query}`)).body;

  it('pages through every license by name, each once', async () => {
    const all = await list('?limit=1000');
    const pages = [];
    for (let offset = 0; offset < all.total; offset += 300) {
      pages.push(...(await list(`?limit=300&offset=${offset}`)).licenses);
    }

    expect(all.total).toBeGreaterThan(600);
    expect(all.licenses).toHaveLength(all.total);
    expect(pages).toEqual(all.licenses);
    const names = pages.map(({ name }: { name: string }) => name.toLowerCase());
    expect(names).toEqual([...new Set(names)].sort());
  });

  it('links to the next page', async () => {
    const { headers } = await registry.get('/api/v1/licenses?limit=10');

    expect(headers.get('Link')).toContain('/api/v1/licenses?limit=10&offset=10>; rel="next"');
  });

  it.each([
    ['?status=rejected', ({ status }: Row) => status === 'rejected'],
    ['?category=weak-copyleft', ({ category }: Row) => category === 'weak-copyleft'],
    [
      '?status=approved&category=public-domain',
      ({ status, category }: Row) => status === 'approved' && category === 'public-domain',
    ],
    ['?search=gpl-3', ({ name }: Row) => name.toLowerCase().includes('gpl-3')],
    ['?search=Mozilla%20Public', ({ title }: Row) => /mozilla public/i.test(title)],
    ['?search=%20', () => true],
  ])('finds with %s exactly what matches', async (query, matches) => {
    const all = (await list('?limit=1000')).licenses;

    const found = await list(`${query}&limit=1000`);

    expect(found.licenses.length).toBeGreaterThan(0);
    expect(found.licenses).toEqual(all.filter(matches));
    expect(found.total).toBe(found.licenses.length);
  });

  it.each(['?status=good', '?category=free', '?limit=0', '?sort=name'])(
    'refuses %s',
    async (query) => {
      expect((await registry.get(`/api/v1/licenses${query}`)).status).toBe(400);
    },
  );
});

interface Row {
  readonly name: string;
  readonly title: string;
  readonly status: string;
  readonly category: string;
}

describe('PUT /licenses/{name}', () => {
  it('decides on a license, and lists and verdicts follow at once', async () => {
    const { status, body } = await put('sspl-1.0', {
      status: 'conditional',
      note: 'Only for our own tools.',
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'SSPL-1.0',
      status: 'conditional',
      note: 'Only for our own tools.',
      reviewed_by: 'legal',
    });
    expect((await registry.get(licensePath('SSPL-1.0'))).body).toEqual(body);
    const { body: listed } = await registry.get('/api/v1/licenses?status=conditional&search=sspl');
    expect(listed.licenses).toEqual([expect.objectContaining({ name: 'SSPL-1.0' })]);
    const { body: both } = await registry.get(licensePath('MIT AND SSPL-1.0'));
    expect(both.status).toBe('conditional');
  });

  it('goes back to the policy with the status null', async () => {
    await put('BUSL-1.1', { status: 'approved', reviewed_by: 'cto@example.com' });

    const { body } = await put('BUSL-1.1', { status: null });

    expect(body).toMatchObject({ status: 'rejected', reviewed_by: null, reviewed_at: null });
  });

  it('decides on a license with its exception, apart from the license', async () => {
    await put('GPL-3.0-or-later WITH GCC-exception-3.1', { status: 'approved' });

    const { body } = await registry.get(licensePath('gpl-3.0-or-later with gcc-exception-3.1'));

    expect(body).toMatchObject({ status: 'approved', category: 'weak-copyleft' });
    expect((await registry.get(licensePath('GPL-3.0-or-later'))).body.status).toBe('conditional');
  });

  it('lets a decision on a license hold for it with any exception', async () => {
    await put('GPL-1.0-only', { status: 'rejected' });

    const { body } = await registry.get(licensePath('GPL-1.0-only WITH Classpath-exception-2.0'));

    expect(body.status).toBe('rejected');
  });

  it('drops a decision on a license with its exception for what follows from the license', async () => {
    const name = 'GPL-3.0-only WITH Bison-exception-2.2';
    await put(name, { status: 'approved' });
    await put('GPL-3.0-only', { status: 'rejected' });

    const { body: reset } = await put(name, { status: null });
    await put('GPL-3.0-only', { status: null });

    expect(reset.status).toBe('rejected');
    expect((await registry.get(licensePath(name))).body.status).toBe('conditional');
  });

  it('lets a license of its own follow the policy of its category', async () => {
    const { body } = await put('Acme Share', { status: null, category: 'source-available' });

    expect(body).toMatchObject({ status: 'rejected', reviewed_at: null });
  });

  it('finds a license of its own however it is spaced, and one named like a member of objects', async () => {
    await put('Acme Terms', { status: 'rejected', category: 'proprietary' });
    const { body } = await put('constructor', { status: null, category: 'proprietary' });

    expect(body.status).toBe('unreviewed');
    for (const name of ['(Acme Terms)', 'acme   terms']) {
      expect((await registry.get(licensePath(name))).body).toMatchObject({ name: 'Acme Terms' });
    }
  });

  it("adds a license of the organisation's own, in place of any earlier one", async () => {
    const facts = {
      category: 'proprietary',
      title: 'Acme End User License',
      url: 'https://acme.example/eula',
      requires_attribution: false,
      allows_commercial: true,
      compatible_with: ['gpl-2.0', 'Acme EULA'],
      incompatible_with: ['MIT'],
    };
    await put('Acme EULA', { status: 'rejected', category: 'unknown' });

    const { status, body } = await put('Acme EULA', { status: 'approved', ...facts });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...facts,
      name: 'Acme EULA',
      compatible_with: expect.arrayContaining(['GPL-2.0-only', 'Acme EULA']),
      incompatible_with: expect.arrayContaining(['MIT']),
    });
    expect((await registry.get(licensePath('ACME eula'))).body).toEqual(body);
    const { body: found } = await registry.get('/api/v1/licenses?search=end%20user');
    expect(found.licenses).toEqual([expect.objectContaining({ name: 'Acme EULA' })]);
  });

  it.each([
    ['no status', 'MIT', {}, 'status'],
    ['a status that is none', 'MIT', { status: 'fine' }, 'status'],
    ['facts of an SPDX license', 'MIT', { status: 'approved', category: 'copyleft' }, 'category'],
    ['an own license without a category', 'Acme-2.0', { status: 'approved' }, 'category'],
    ['an expression', 'MIT OR ISC', { status: 'approved' }, 'name'],
    [
      'an exception of an unknown license',
      'LicenseRef-Acme WITH LLVM-exception',
      { status: 'approved', category: 'unknown' },
      'name',
    ],
    [
      'what says that no license is known',
      'NOASSERTION',
      { status: null, category: 'unknown' },
      'name',
    ],
    ['an operator alone', 'Or', { status: null, category: 'unknown' }, 'name'],
    ['a reference to nothing', 'LicenseRef-', { status: null, category: 'unknown' }, 'name'],
    ['an unknown field', 'MIT', { status: 'approved', reason: 'x' }, 'reason'],
    ['a license and all later ones', 'SSPL-1.0+', { status: 'approved' }, 'name'],
    ['a name that is too long', 'a'.repeat(256), { status: null, category: 'unknown' }, 'name'],
    ['a name in many bytes', 'é'.repeat(600), { status: null, category: 'unknown' }, 'name'],
    ['a name that nobody sees', 'Acme\u200b', { status: null, category: 'unknown' }, 'name'],
    ['a name of control characters', '\0\nfoo', { status: null, category: 'unknown' }, 'name'],
    [
      'one name in both lists',
      'Acme-2.0',
      {
        status: null,
        category: 'unknown',
        compatible_with: ['mit'],
        incompatible_with: ['ISC', 'MIT'],
      },
      'incompatible_with',
    ],
    ['a bad address', 'Acme-2.0', { status: null, category: 'unknown', url: 'javascript:' }, 'url'],
  ])('refuses %s', async (_, name, body, path) => {
    const { status, body: problem } = await put(name, body);

    expect(status).toBe(400);
    expect(problem.errors[0].path).toBe(path);
  });

  it('says what a name reads as that is decided on without a category', async () => {
    const { body } = await put('Apache License, Version 2.0', { status: 'rejected' });

    expect(body.errors[0]).toEqual({
      path: 'category',
      message: expect.stringContaining('reads as Apache-2.0'),
    });
  });

  it('decides on a name that reads as another license, which goes before the reading', async () => {
    await put('AGPLv3 for Acme', { status: 'approved', category: 'network-copyleft' });

    const { body } = await registry.get(licensePath('agplv3 for acme'));

    expect(body).toMatchObject({ name: 'AGPLv3 for Acme', normalized: null, status: 'approved' });
    expect((await registry.get(licensePath('AGPLv3 of Acme'))).body.status).toBe('rejected');
  });

  it('lets a decision on a license hold for every text that reads as it', async () => {
    await put('ECL-2.0', { status: 'rejected' });

    const { body } = await registry.get(licensePath('Educational Community License, v2.0'));

    expect(body).toMatchObject({ normalized: 'ECL-2.0', status: 'rejected' });
  });

  it('needs a token', async () => {
    const answer = await registry.send('PUT', licensePath('MIT'), { body: { status: 'rejected' } });

    expect(answer.status).toBe(401);
  });

  it('keeps every decision, and one that is sent twice only once', async () => {
    const headers = { 'Idempotency-Key': 'ruling-1' };
    const first = await put('CDDL-1.0', { status: 'approved', note: 'Fine.' }, headers);
    const again = await put('CDDL-1.0', { status: 'approved', note: 'Fine.' }, headers);
    await put('CDDL-1.0', { status: 'rejected' });

    expect(again.body).toEqual(first.body);
    const decisions = await decisionsOn(registry, 'license#cddl-1.0');
    expect(decisions).toMatchObject([
      { from: 'conditional', to: 'approved', reason: 'Fine.', by: 'legal', token_label: 'legal' },
      { from: 'approved', to: 'rejected', reason: null },
    ]);
  });
});

describe('GET /licenses/{name}/compatibility/{other}', () => {
  const compare = (name: string, other: string) =>
    registry.get(licensePath(name, `/compatibility/${encodeURIComponent(other)}`));

  it.each([
    ['MIT', 'GPL-3.0-only', 'compatible'],
    ['Apache-2.0', 'gpl-2.0', 'incompatible'],
    ['Apache-2.0 OR MIT', 'GPL-2.0-only', 'compatible'],
    ['GPL-2.0-only', 'MIT', 'incompatible'],
    ['GPL-3.0-only', 'AGPL-3.0-only', 'compatible'],
  ])('says of %s in a work under %s: %s', async (name, other, verdict) => {
    const { status, body } = await compare(name, other);

    expect(status).toBe(200);
    expect(body.verdict).toBe(verdict);
    expect(body.explanation).not.toBe('');
  });

  it('compares what texts read as, and says as what', async () => {
    const { body } = await compare('The Apache Software License, Version 2.0', 'GPL v2');

    expect(body).toMatchObject({
      license: 'The Apache Software License, Version 2.0',
      license_normalized: 'Apache-2.0',
      other: 'GPL v2',
      other_normalized: 'GPL-2.0-only',
      verdict: 'incompatible',
    });
  });

  it('names the rule and its source', async () => {
    const { body } = await compare('Apache-2.0', 'GPL-2.0-only');

    expect(body).toMatchObject({ license: 'Apache-2.0', other: 'GPL-2.0-only' });
    expect(body.rule).toMatch(/^[a-z0-9.-]+$/);
    expect(body.source).toMatch(/^https:\/\//);
  });

  it("answers by the organisation's own record where there is one", async () => {
    const own = { status: null, category: 'proprietary', compatible_with: ['MIT'] };
    await put('Acme Runtime', { ...own, incompatible_with: ['ISC'] });

    expect((await compare('acme runtime', 'MIT')).body).toMatchObject({
      verdict: 'compatible',
      rule: 'own-record',
      source: null,
    });
    expect((await compare('Acme Runtime', 'ISC')).body.verdict).toBe('incompatible');
    expect((await compare('MIT', 'Acme Runtime')).body.verdict).toBe('compatible');
  });

  it.each([
    ['MIT', 'Nope-1.0'],
    ['Nope-1.0', 'MIT'],
    ['MIT AND Nope-1.0', 'MIT'],
    ['AGPLv3 with Nope-1.0', 'MIT'],
  ])('answers 404 for %s in %s, and names the unknown one', async (name, other) => {
    const { status, body } = await compare(name, other);

    expect(status).toBe(404);
    expect(body.detail).toContain('Nope-1.0');
  });
});

const keepItem = (Item: object) =>
  databaseOf(registry).send(
    new PutCommand({ TableName: registry.stack.tables['LICENSES_TABLE'], Item }),
  );

describe('the load on deployment', () => {
  const written = () =>
    registry.logs.findLast(({ event }) => event === 'licenses_loaded')?.['written'];

  it('writes nothing where nothing changed', async () => {
    await redeploy(registry);

    expect(written()).toBe(0);
  });

  it('follows the policy, and leaves every decision of the organisation alone', async () => {
    await put('Zlib', { status: 'conditional', note: 'Ours.' });
    const { body: own } = await put('Acme Kept', { status: 'approved', category: 'proprietary' });
    const { categories } = policy;
    const changed = {
      categories: { ...categories, permissive: 'rejected' },
      licenses: { mit: 'conditional', 'GPL-2.0-only WITH LLVM-exception': 'rejected' },
    };

    await redeploy(registry, changed);

    const status = async (name: string) => (await registry.get(licensePath(name))).body.status;
    expect(await status('ISC')).toBe('rejected');
    expect(await status('MIT')).toBe('conditional');
    expect(await status('GPL-2.0-only WITH LLVM-exception')).toBe('rejected');
    expect(await status('Zlib')).toBe('conditional');
    expect((await registry.get(licensePath('Acme Kept'))).body).toEqual(own);

    await redeploy(registry);
    expect(await status('ISC')).toBe('approved');
    expect(await status('GPL-2.0-only WITH LLVM-exception')).toBe('conditional');
    const { body: back } = await put('Zlib', { status: null });
    expect(back.status).toBe('approved');
  });

  it('lets what the policy says of a license hold with any exception', async () => {
    const licenses = { 'GPL-2.0': 'rejected', 'GPL-2.0-only WITH LLVM-exception': 'approved' };

    await redeploy(registry, { ...policy, licenses });

    const status = async (name: string) => (await registry.get(licensePath(name))).body.status;
    expect(await status('GPL-2.0-only WITH Classpath-exception-2.0')).toBe('rejected');
    expect(await status('GPL-2.0-only WITH LLVM-exception')).toBe('approved');
    await redeploy(registry);
  });

  it('has own licenses follow the policy, and stays with an own record that SPDX knows too', async () => {
    const { body: own } = await put('Acme Follows', { status: null, category: 'proprietary' });
    const item = { kind: 'license', license_key: 'aladdin', name: 'Aladdin', revision: 1 };
    const facts = { title: 'Ours', url: null, compatible_with: ['MIT'], incompatible_with: [] };
    await keepItem({ ...item, category: 'proprietary', status: 'approved', own: facts });

    const { categories } = policy;
    await redeploy(registry, { categories: { ...categories, proprietary: 'rejected' } });

    expect(own.status).toBe('unreviewed');
    expect((await registry.get(licensePath('Acme Follows'))).body.status).toBe('rejected');
    expect((await registry.get(licensePath('Aladdin'))).body).toMatchObject({
      title: 'Ours',
      category: 'proprietary',
      status: 'rejected',
    });
    await redeploy(registry);
  });

  it('takes a decision along to the identifier that SPDX gave the license since', async () => {
    const item = { kind: 'license', license_key: 'lgpl-3.0', name: 'LGPL-3.0', revision: 1 };
    const decision = {
      status: 'rejected',
      note: 'No.',
      reviewed_by: 'cto',
      reviewed_at: '2026-01-01T00:00:00.000Z',
    };
    await keepItem({ ...item, category: 'weak-copyleft', ...decision });

    await redeploy(registry);

    expect((await registry.get(licensePath('LGPL-3.0-only'))).body).toMatchObject(decision);
    const { body } = await registry.get('/api/v1/licenses?search=lgpl-3.0');
    expect(body.licenses.map(({ name }: Row) => name)).toEqual([
      'LGPL-3.0-only',
      'LGPL-3.0-or-later',
    ]);
  });

  it('fails the deployment with the reason when it cannot', async () => {
    const deployment = redeploy(registry, { categories: {}, licenses: {} });

    await expect(deployment).rejects.toThrow(/categories/);
  });
});
