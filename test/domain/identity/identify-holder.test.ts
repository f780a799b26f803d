import { describe, expect, it } from 'vitest';
import { identifyHolder } from '../../../shared/domain/identity/identify-holder.ts';
import type { Claims, TrustedIssuer } from '../../../shared/domain/identity/trusted-issuer.ts';
import type { Scope } from '../../../shared/domain/tokens/scope.ts';
import { createRandom, type Random } from '../../support/random.ts';

const people: TrustedIssuer = {
  ...{ issuer: 'https://id.example.com', holders: 'people', audiences: ['registry'] },
  label: { claim: 'email', prefix: '' },
  rules: [
    { if: {}, scopes: ['submit'] },
    { if: { groups: ['security', 'leads'], tenant: ['7'] }, scopes: ['review'] },
  ],
};

const jobs: TrustedIssuer = {
  ...{ issuer: 'https://ci.example.com', holders: 'jobs', audiences: ['registry'] },
  label: { claim: 'repository', prefix: 'ci:' },
  rules: [{ if: { repository_id: ['7'], ref: ['refs/heads/main'] }, scopes: ['submit'] }],
};

const ana = { email: 'ana@example.com' };

describe('the holder of an ID token', () => {
  it.each<[string, Claims, readonly Scope[]]>([
    ['no other claim', {}, ['submit']],
    ['a group alone', { groups: ['security'] }, ['submit']],
    ['all claims of a rule', { groups: ['x', 'leads'], tenant: '7' }, ['submit', 'review']],
    ['a number', { groups: 'security', tenant: 7 }, ['submit', 'review']],
    ['an inherited name', { groups: 'security', tenant: { toString: () => '7' } }, ['submit']],
    ['a group in another case', { groups: ['Security'], tenant: '7' }, ['submit']],
    ['a nested list', { groups: [['security']], tenant: '7' }, ['submit']],
    ['a number that is not exact', { groups: 'security', tenant: 7.5 }, ['submit']],
  ])('has the scopes of all rules that it meets, with %s', (_, claims, scopes) => {
    expect(identifyHolder(people, { ...ana, ...claims }, [])).toEqual({
      label: 'ana@example.com',
      scopes,
    });
  });

  it('has no access without a rule, and learns which claims the rules look at', () => {
    expect(identifyHolder(jobs, { repository: 'acme/shop', repository_id: '7' }, [])).toEqual({
      refusal:
        'No rule of this registry gives it a scope. The rules look at repository_id, ref. The token does not have ref.',
    });
  });

  it.each([
    'registry',
    'Regıstry',
    'policy',
    'policy:fresh',
    'pоlicy',
    'alice/submit',
    'a,b',
    'ci:acme/shop',
    'sha256',
    ' ana',
    'ana\u200b@example.com',
    'x'.repeat(255),
    '',
    'аna@example.com',
    'ａｎａ@example.com',
    'anä@example.com',
  ])('has no access with the label %j', (email) => {
    expect(identifyHolder(people, { email }, [])).toHaveProperty('refusal');
  });

  it('has an address in lower case as its label, because both cases are one person', () => {
    expect(identifyHolder(people, { email: 'Ana@Example.com' }, [])).toMatchObject({
      label: 'ana@example.com',
    });
  });

  it.each(['ci꞉acmeノshop', 'CI:acme/shop', 'ａna', 'cı:x'])(
    'has no access with the name %j, which looks like another one',
    (name) => {
      const issuer = { ...people, label: { claim: 'name', prefix: '' } };

      expect(identifyHolder(issuer, { name }, [])).toHaveProperty('refusal');
    },
  );

  it.each(['/', '//', 'acme', 'acme/', '/shop', 'acme/shop/', 'acme//shop', 'acme/sh op', 'a:b/c'])(
    'has no access as a CI job of the repository %j',
    (repository) => {
      const claims = { repository, repository_id: '7', ref: 'refs/heads/main' };

      expect(identifyHolder(jobs, claims, [])).toHaveProperty('refusal');
    },
  );

  it.each(['ci', 'CI', 'c1', 'с\u0456'])('has no access with %j beside the label "ci"', (email) => {
    expect(identifyHolder(people, { email }, ['other', 'ci'])).toHaveProperty('refusal');
  });

  it.each([undefined, 7, null, ['ana@example.com'], { a: 1 }])(
    'has no access with the label claim %j',
    (email) => {
      expect(identifyHolder(people, { email }, [])).toHaveProperty('refusal');
    },
  );

  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [null, false],
    [undefined, false],
  ])('has access with email_verified %j: %s', (verified, hasAccess) => {
    const holder = identifyHolder(people, { ...ana, email_verified: verified }, []);

    expect('label' in holder).toBe(hasAccess);
  });

  it.each(['acme/review', 'acme/registry', 'acme/policy', 'group/sub/project'])(
    'is a CI job of the repository %s',
    (repository) => {
      const claims = { repository, repository_id: '7', ref: 'refs/heads/main' };

      expect(identifyHolder(jobs, claims, [])).toEqual({
        label: `ci:${repository}`,
        scopes: ['submit'],
      });
    },
  );
});

const names = ['groups', 'tenant', 'ref', 'email_verified'];
const values = ['security', 'leads', '7', 'true', 'main'];
const labels = [
  'ana@example.com',
  'bo',
  'ci',
  'registry',
  'policy:x',
  'with space',
  'a:b',
  ' x',
  '',
];

const makeValue = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => random.pick(values),
    () => [random.pick(values), random.pick(values)],
    () => [],
    () => random.pick([7, true, false, null, undefined, 7.5, Number.NaN]),
    () => ({ value: random.pick(values) }),
    () => [[random.pick(values)]],
  ])();

const makeClaims = (random: Random): Claims => ({
  email: random.below(2) === 0 ? 'bo' : random.pick<unknown>([...labels, 7, undefined]),
  ...Object.fromEntries(
    names.filter(() => random.below(2) === 0).map((name) => [name, makeValue(random)]),
  ),
});

const makeRules = (random: Random): TrustedIssuer['rules'] =>
  Array.from({ length: random.below(4) }, () => ({
    if: Object.fromEntries(
      names
        .filter(() => random.below(3) === 0)
        .map((name) => [name, [random.pick(values), random.pick(values)]]),
    ),
    scopes: random.pick<readonly Scope[]>([['submit'], ['review'], ['review', 'submit']]),
  }));

/** What the page promises, written down a second time: claims are texts with their JSON, and rules are sets. */
const expectHolder = ({ rules }: TrustedIssuer, claims: Claims): string => {
  const has = (name: string, value: string): boolean => {
    const text = JSON.stringify(claims[name]) ?? 'null';
    const forms = [`"${value}"`, ...(/^(?:7|true|false)$/.test(value) ? [value] : [])];
    return forms.some(
      (form) => text === form || new RegExp(`^\\[(.*,)?${form}(,.*)?\\]$`).test(text),
    );
  };
  const granted: string[] = [];
  for (const { if: conditions, scopes } of rules) {
    let isMet = true;
    for (const name in conditions)
      isMet &&= (conditions[name] ?? []).some((value) => has(name, value));
    if (isMet) granted.push(...scopes);
  }
  const allowed = ['ana@example.com', 'bo'];
  const isVerified =
    !('email_verified' in claims) ||
    ['true', '"true"'].includes(JSON.stringify(claims['email_verified']));
  if (granted.length === 0 || !isVerified || !allowed.includes(String(claims['email'])))
    return 'refused';
  return `${claims['email']} ${['submit', 'review'].filter((scope) => granted.includes(scope))}`;
};

it('is that of an independent oracle, for 2,000 random sets of claims and rules', () => {
  let accepted = 0;
  for (let seed = 0; seed < 2000; seed += 1) {
    const random = createRandom(seed);
    const issuer = { ...people, rules: makeRules(random) };
    const claims = makeClaims(random);

    const holder = identifyHolder(issuer, claims, ['ci']);

    const found = 'label' in holder ? `${holder.label} ${holder.scopes}` : 'refused';
    expect([seed, found]).toEqual([seed, expectHolder(issuer, claims)]);
    if (found !== 'refused') accepted += 1;
  }
  expect(accepted).toBeGreaterThan(200);
});
