import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../infra/config.ts';
import { readIdentityRules } from '../../infra/identity-rules.ts';
import { identifyHolder } from '../../shared/domain/identity/identify-holder.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'sign-in-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** The settings and the rules of a section, which are its JSON blocks. */
const readSection = (title: string) => {
  const page = readFileSync('docs/sign-in.md', 'utf8');
  const [, section = ''] = page.split(`\n## ${title}\n`);
  const blocks = [...(section.split('\n## ')[0] ?? '').matchAll(/```json\n([\s\S]*?)```/g)];
  const [settings, rules] = blocks.map(([, text = '']) => JSON.parse(text));
  const identityRules = join(directory, 'identity.json');
  writeFileSync(identityRules, JSON.stringify(rules));
  return readIdentityRules(parseSettings({ ...settings, identityRules }));
};

// Claims as the providers document them.
const examples: readonly (readonly [string, object, object])[] = [
  [
    'Any provider',
    { email: 'ana@example.com', email_verified: true, groups: ['security', 'staff'] },
    { label: 'ana@example.com', scopes: ['submit', 'review'] },
  ],
  [
    'Amazon Cognito',
    { email: 'ana@example.com', email_verified: true, 'cognito:groups': ['reviewers'] },
    { label: 'ana@example.com', scopes: ['submit', 'review'] },
  ],
  [
    'Microsoft Entra ID',
    { email: 'ana@example.com', preferred_username: 'ana@example.com', roles: ['Registry.Review'] },
    { label: 'ana@example.com', scopes: ['submit', 'review'] },
  ],
  [
    'GitHub Actions',
    { repository: 'acme/shop', repository_id: '123456789', ref: 'refs/heads/main' },
    { label: 'ci:acme/shop', scopes: ['submit'] },
  ],
  [
    'GitLab',
    { project_path: 'acme/shop', project_id: '7', namespace_id: '42', ref_protected: 'true' },
    { label: 'ci:acme/shop', scopes: ['submit'] },
  ],
];

describe('the page about signing in', () => {
  it.each(examples)('has settings and rules for %s that work', (title, claims, holder) => {
    const { issuers } = readSection(title);

    expect(issuers.map((issuer) => identifyHolder(issuer, { ...claims }, []))).toEqual([holder]);
  });

  it('gives people in too many groups of Entra ID no more than everybody', () => {
    const [issuer] = readSection('Microsoft Entra ID').issuers;
    const claims = { email: 'ana@example.com', _claim_names: { groups: 'src1' } };

    expect(issuer && identifyHolder(issuer, claims, [])).toMatchObject({ scopes: ['submit'] });
  });
});
