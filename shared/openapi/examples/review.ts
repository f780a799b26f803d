import type { VersionEvidence } from '../../schemas/evidence.ts';
import type { PolicyPreviewResult, ReviewPolicy } from '../../schemas/policy.ts';
import { factsInShort } from './memory.ts';
import { lodashDetail } from './packages.ts';

export const evidence = {
  package: lodashDetail,
  justification: 'The importer groups rows with it; nothing we have does.',
  facts: {
    found: 'yes',
    reason: null,
    name_found: true,
    published_at: factsInShort.published_at,
    licenses_declared: ['MIT'],
    license: 'MIT',
    description: 'Lodash modular utilities.',
    homepage: lodashDetail.homepage,
    repository: lodashDetail.repository,
    deprecated: null,
    yanked: null,
    install_scripts: [],
    provenance: false,
    newest_version: '4.17.21',
    asked_at: factsInShort.asked_at,
  },
  license: {
    claimed: 'MIT',
    reading: 'MIT',
    status: 'approved',
    declared: ['MIT'],
    declared_reading: 'MIT',
    declared_status: 'approved',
  },
  scan: null,
  earlier: [],
  held_by: null,
  objections: [{ code: 'scan_missing', message: 'It was never scanned.', blocks: false }],
} satisfies VersionEvidence;

export const reviewPolicy = {
  rules: [
    {
      name: 'types',
      when: { names: ['@types/*'], scan: ['passed'], found: ['yes'] },
      then: 'approve',
      reason: 'Types run nowhere',
    },
  ],
} satisfies ReviewPolicy;

export const policyResult = {
  ecosystem: 'npm',
  name: '@types/node',
  version: '24.0.0',
  decision: 'approve',
  rule: 'types',
  waits_for: [],
} satisfies PolicyPreviewResult;
