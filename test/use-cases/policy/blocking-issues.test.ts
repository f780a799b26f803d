import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '../../../functions/apply-policy.ts';
import { settingVariables } from '../../../shared/api/resources.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import type { ReviewPolicy } from '../../../shared/domain/policy/rule.ts';
import {
  alwaysBlockingIssues,
  type IssueCode,
  issueCodes,
} from '../../../shared/domain/review/approval.ts';
import { saveApprovedName } from '../../../shared/storage/packages/approved-names.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { readReviewState, reviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import { decideAsJudged, decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { judgeVersion } from '../../../shared/use-cases/review/judge-version.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import '../../support/restore-environment.ts';
import {
  declares,
  id,
  inDays,
  learn,
  learnChange,
  learnProvenance,
  rejectLicense,
  scanItself,
  submit,
} from './policy-registry.ts';

/** The policy of the worker, which lies beside its code where it is deployed: it approves everything that may be. */
vi.mock('../../../shared/api/settings/review-policy.ts', () => ({
  readReviewPolicy: (): ReviewPolicy => ({
    rules: [{ name: 'everything', when: {}, then: 'approve' }],
  }),
}));

/** Makes a version with one issue, and with no other that the setting of that issue blocks. */
const make: Readonly<Record<IssueCode, () => Promise<unknown>>> = {
  malware: () => learn().then(() => scanItself('low', id, 'MAL-2026-1')),
  scan_failed: () => learn().then(() => scanItself('critical')),
  license_rejected: () => learn(declares('SSPL-1.0')).then(() => rejectLicense('SSPL-1.0')),
  license_unreadable: () => learn({ license_declaration: 'unreadable' }),
  provenance_invalid: () => learnProvenance({ status: 'invalid', reason: 'it is malformed.' }),
  license_not_approved: () => learn(declares('MIT')),
  license_unreviewed: () => learn(declares('MIT')),
  license_differs: () => learn(declares('ISC')),
  scan_missing: () => learn(),
  not_found_at_origin: () => learn({ found: 'no' }),
  deprecated: () => learn({ deprecated: 'use another one' }),
  yanked: () => learn({ yanked: '' }),
  too_young: () => learn({ published_at: inDays(-6).toISOString() }),
  install_scripts: () => learn({ install_scripts: ['postinstall'] }),
  new_dependency_young: () =>
    learnChange({}, { dependencies: { young: '1' } }, inDays(-1).toISOString()),
  install_scripts_added: () =>
    learnChange(
      { facts: { install_scripts: [] } },
      { facts: { install_scripts: ['postinstall'] } },
    ),
  publisher_changed: () =>
    learnChange(
      { details: { publisher: 'ana', maintainers: ['ana'] } },
      {
        details: { publisher: 'eve' },
        publications: [{ publisher: 'ana', published_at: inDays(-200).toISOString() }],
      },
    ),
  provenance_lost: () =>
    learnChange({ facts: { provenance: true } }, { facts: { provenance: false } }),
  similar_name: async () => {
    await saveApprovedName({ ecosystem: 'npm', name: 'leftpad' });
    await learn(declares('MIT'));
  },
  repository_changed: async () => {
    const before = { ...id, version: '0.9.0' };
    await submit(before, 'MIT');
    await learn({ ...declares('MIT'), repository: 'https://code.example/ana/left-pad' }, before);
    await decidePackage(
      before,
      { to: 'approved', by: 'ana', reason: 'seen', override: true },
      writeContext(),
    );
    await learn({ ...declares('MIT'), repository: 'https://code.example/eve/left-pad' });
  },
};

const settings = {
  requireApprovedLicense: 'false',
  minimumAgeDays: '7',
  approvalDays: '0',
  scanFailedFrom: 'high',
  scanWarningFrom: 'low',
  scanUnrated: 'warning',
  osvScanning: 'false',
  collectFacts: 'false',
  counterShards: '4',
} as const;

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  for (const [name, value] of Object.entries(settings)) {
    process.env[settingVariables[name as keyof typeof settings]] = value;
  }
  await submit(id, 'MIT');
});
afterEach(() => engine.close());

/** Has the worker of the policy look at the version, as the stream of heads does. */
const work = (blocking: IssueCode | 'none'): Promise<unknown> => {
  process.env[settingVariables.blockingIssues] = blocking;
  const Keys = { v: { S: toVersionKey(id) }, k: { S: reviewStateKey } };
  const event = { Records: [{ dynamodb: { SequenceNumber: '1', Keys } }] };
  return handler(event, { getRemainingTimeInMillis: () => 30_000 } as Context);
};

describe('a rule that approves everything', () => {
  it.each(issueCodes)('holds a version that %s blocks', async (code) => {
    await make[code]();

    await work(code);

    expect(await findVersion(id)).toMatchObject({ status: 'pending', revision: 0 });
    expect(await readReviewState(id)).toMatchObject({ held_by: 'everything', revision: 0 });
  });

  it.each(issueCodes.filter((code) => !alwaysBlockingIssues.includes(code)))(
    'approves a version that %s does not block',
    async (code) => {
      await make[code]();

      await work('none');

      expect(await findVersion(id)).toMatchObject({ approved_by: 'policy:everything' });
    },
  );

  it.each(alwaysBlockingIssues)('holds a version with %s whatever is set', async (code) => {
    await make[code]();

    await work('none');

    expect(await readReviewState(id)).toMatchObject({ held_by: 'everything', revision: 0 });
  });
});

describe('a decision of a rule', () => {
  it.each(issueCodes)('is refused where %s blocks, though the rule approves', async (code) => {
    await make[code]();
    const version = await findVersion(id);
    if (!version) throw new Error('It was not submitted');
    const rules = { blockingIssues: [code], minimumAgeDays: 7 };
    const judgement = await judgeVersion(version, rules, new Date());

    const decided = decideAsJudged(
      version,
      {
        judgement,
        request: { to: 'approved', by: 'policy:everything', rule: 'everything', rules },
        explain: () => new Error('Nobody else decides'),
      },
      writeContext(),
    );

    await expect(decided).rejects.toMatchObject({
      code: 'approval_blocked',
      parts: { members: { reasons: [expect.objectContaining({ code })] } },
    });
    expect(await findVersion(id)).toMatchObject({ status: 'pending', revision: 0 });
  });
});
