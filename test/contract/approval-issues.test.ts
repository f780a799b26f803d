import type { StackModel } from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingVariables } from '../../shared/api/resources.ts';
import { decisionsOn } from '../support/decisions.ts';
import { functionOf } from '../support/functions.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

let count = 0;

/** Submits a new package under a license, and resolves to its name. */
const submitted = async (registry: TestRegistry, license?: string): Promise<string> => {
  count += 1;
  const name = `subject-${count}`;
  await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license });
  return name;
};

const approve = (registry: TestRegistry, name: string, body?: object) =>
  registry.post(packagePath(name, '/approve'), body);

const codesOf = ({ reasons }: { reasons: { code: string }[] }): string[] =>
  reasons.map(({ code }) => code);

describe('an approval', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ licenses: true });
  });
  afterAll(() => registry.close());

  it.each([
    'AGPL-3.0-only',
    'agpl-3.0',
    'MIT AND SSPL-1.0',
    'SSPL-1.0 OR AGPL-3.0-only',
    'BUSL-1.1+',
    'AGPL-3.0-only OR whatever',
    'AGPL-3.0-or-later OR LicenseRef-Commercial',
    'AGPL-3.0-only OR UNLICENSED',
    'SSPL-1.0 OR Proprietary',
    'GNU Affero General Public License v3 or commercial',
    'AGPL OR freeware',
    'AGPL OR all rights reserved',
    'AGPL OR Aladdin',
    'AGPL-3.0-only OR (MIT AND whatever)',
  ])('refuses a version under %s with 409 and the reason, and changes nothing', async (license) => {
    const name = await submitted(registry, license);

    const { status, body } = await approve(registry, name);

    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'approval_blocked' });
    expect(body.reasons).toEqual([
      { code: 'license_rejected', message: expect.stringContaining('is rejected') },
    ]);
    expect((await registry.get(packagePath(name))).body.status).toBe('pending');
  });

  it('shows the normalized license when the submitted text is another spelling of a rejected one', async () => {
    const name = await submitted(registry, 'GNU Affero General Public License v3');

    const { status, body } = await approve(registry, name);

    expect(status).toBe(409);
    expect(body.reasons).toEqual([
      {
        code: 'license_rejected',
        message:
          'The license GNU Affero General Public License v3, which is normalized to AGPL-3.0-only, is rejected.',
      },
    ]);
  });

  it('shows the whole normalized expression of a license choice', async () => {
    const license = 'AGPLv3 OR ISC AND Foo';
    const name = await submitted(registry, license);

    const { body } = await approve(registry, name);
    const detail = (await registry.get(packagePath(name))).body;
    const record = (await registry.get(`/api/v1/licenses/${encodeURIComponent(license)}`)).body;

    const reading = 'AGPL-3.0-only OR ISC AND Foo';
    expect(detail.license_normalized).toBe(reading);
    expect(record).toMatchObject({ name: license, normalized: reading, status: 'rejected' });
    expect(body.reasons[0].message).toContain(`which is normalized to ${reading}, is rejected`);
  });

  it('approves a version under an unreadable license, and reports the license as unreviewed', async () => {
    const name = await submitted(registry, 'Acme Terms of Use');

    const { status, body } = await approve(registry, name);

    expect(status).toBe(200);
    expect(body).toMatchObject({ license: 'Acme Terms of Use', license_normalized: null });
    expect(body.license_note).toContain('unreviewed');
  });

  it('refuses a version under a malformed license expression, because its terms are unknown', async () => {
    const name = await submitted(registry, 'AGPL-3.0-only OR');

    const { body } = await approve(registry, name);

    expect(body.reasons).toEqual([
      {
        code: 'license_unreadable',
        message: expect.stringContaining('not a valid license expression'),
      },
    ]);
  });

  it.each(['SEE LICENSE IN LICENSE', '\u041cIT'])(
    'refuses a version under %s, which may be any license',
    async (license) => {
      const { body } = await approve(registry, await submitted(registry, license));

      expect(codesOf(body)).toEqual(['license_unreadable']);
    },
  );

  it("approves a version under the organisation's own license", async () => {
    const name = await submitted(registry, 'Acme EULA');
    const body = { status: 'approved', category: 'proprietary' };
    await registry.send('PUT', '/api/v1/licenses/Acme%20EULA', { body });

    const { issues, license } = (await registry.get(packagePath(name, '/evidence'))).body;
    const { status } = await approve(registry, name);

    expect(license.effective).toEqual({
      ...{ source: 'submitted', text: 'Acme EULA', normalized: null, status: 'approved' },
    });
    expect(codesOf({ reasons: issues })).toEqual(['scan_missing']);
    expect(status).toBe(200);
  });

  it.each([undefined, 'MIT', 'GPL-3.0-only', 'MIT OR SSPL-1.0', 'Some license of theirs'])(
    'approves a version under %s',
    async (license) => {
      const name = await submitted(registry, license);

      expect((await approve(registry, name)).status).toBe(200);
    },
  );

  it('overrides a blocking issue with a reason, and records the reason with the issue', async () => {
    const name = await submitted(registry, 'SSPL-1.0');

    const { status, body } = await approve(registry, name, {
      override: true,
      reason: 'Only on our own machines.',
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'approved', reason: 'Only on our own machines.' });
    const decisions = await decisionsOn(registry, `npm#${name}#1.0.0`);
    expect(decisions).toMatchObject([
      { overridden: ['license_rejected'], reason: 'Only on our own machines.' },
    ]);
  });

  it('refuses an override without a reason', async () => {
    const name = await submitted(registry, 'SSPL-1.0');

    const { status, body } = await approve(registry, name, { override: true });

    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: 'reason', message: expect.stringContaining('required') }]);
  });

  it('applies a new license status at once', async () => {
    const name = await submitted(registry, 'BSL-1.0');
    await registry.send('PUT', '/api/v1/licenses/BSL-1.0', { body: { status: 'rejected' } });

    expect((await approve(registry, name)).status).toBe(409);

    await registry.send('PUT', '/api/v1/licenses/BSL-1.0', { body: { status: null } });
    expect((await approve(registry, name)).status).toBe(200);
  });

  describe('with a list of issue codes to override', () => {
    const reason = 'Only used in tests';

    const scan = (name: string, ...severities: readonly string[]) => {
      const vulnerabilities = severities.map((severity, at) => ({
        id: `CVE-2026-${at}`,
        severity,
      }));
      const body = { tool: 'a-scanner', vulnerabilities };
      return registry.post(`/api/v1/security/scans/${name}`, body);
    };
    const readEvidence = async (name: string) =>
      (await registry.get(packagePath(name, '/evidence'))).body;
    const statusOf = async (name: string) => (await registry.get(packagePath(name))).body.status;
    const overriddenOf = async (name: string) => {
      const { body } = await registry.get(packagePath(name, '/history'));
      return body.history[0].overridden;
    };
    const rule = (license: string, status: string | null) =>
      registry.send('PUT', `/api/v1/licenses/${license}`, { body: { status } });
    const decideAll = async (decisions: readonly object[]) =>
      (await registry.post('/api/v1/decisions', { decisions })).body.results;
    const approvalOf = (name: string, more: object) => ({
      ...{ ecosystem: 'npm', name, version: '1.0.0', action: 'approve', reason },
      ...more,
    });

    it('approves a version when the list names each blocking issue, and records the actual ones', async () => {
      const name = await submitted(registry, 'SSPL-1.0');

      const { status } = await approve(registry, name, {
        override: ['scan_failed', 'license_rejected'],
        reason,
      });

      expect(status).toBe(200);
      expect(await overriddenOf(name)).toEqual(['license_rejected']);
    });

    it('refuses an approval that does not name a blocking issue, and shows the override to send', async () => {
      const name = await submitted(registry, 'SSPL-1.0');
      await scan(name, 'critical');

      const { status, body } = await approve(registry, name, {
        override: ['license_rejected'],
        reason,
      });

      expect([status, body.code]).toEqual([409, 'approval_blocked']);
      expect(body.reasons).toEqual([
        { code: 'scan_failed', message: '1 critical vulnerability (policy: fail from high).' },
      ]);
      expect(body.detail).toContain('send "override": ["license_rejected", "scan_failed"]');
      expect(await statusOf(name)).toBe('pending');
    });

    it.each([
      [[], 'must list at least one issue code; leave it out to override nothing'],
      [['scan_failed', 'scan_failed'], 'must list each issue code once'],
      [['scan_faild', 7], expect.stringMatching(/^names "scan_faild", 7, which no issue has/)],
      ['scan_failed', 'must be true, false or a list of issue codes'],
    ])('refuses the override %j with 400', async (override, message) => {
      const { status, body } = await approve(registry, 'anything', { override, reason });

      expect(status).toBe(400);
      expect(body.errors).toEqual([{ path: 'override', message }]);
    });

    it('requires a reason', async () => {
      const body = { override: ['license_rejected'] };

      const { status, body: problem } = await approve(registry, 'anything', body);

      expect(status).toBe(400);
      expect(problem.errors).toMatchObject([{ path: 'reason' }]);
    });

    it('refuses an approval when a scan found a critical vulnerability after the evidence was read', async () => {
      const name = await submitted(registry, 'MIT');
      await scan(name, 'high');
      const { evidence_version: expected_evidence_version } = await readEvidence(name);
      await scan(name, 'high', 'critical');
      const approval = { override: ['scan_failed'], reason, expected_evidence_version };

      const refused = await approve(registry, name, approval);
      const { evidence_version } = await readEvidence(name);
      const approved = await approve(registry, name, {
        ...approval,
        expected_evidence_version: evidence_version,
      });

      expect([refused.status, refused.body.code]).toEqual([409, 'evidence_changed']);
      expect(refused.body.detail).toContain('Read the evidence again');
      expect(evidence_version).not.toBe(expected_evidence_version);
      expect(approved.status).toBe(200);
    });

    it('refuses an approval when the license status changed after the evidence was read', async () => {
      const name = await submitted(registry, 'Zlib');
      const { evidence_version: expected_evidence_version } = await readEvidence(name);
      await rule('Zlib', 'conditional');

      const refused = await approve(registry, name, { expected_evidence_version });
      await rule('Zlib', null);
      const approved = await approve(registry, name, { expected_evidence_version });

      expect(refused.body).toMatchObject({ status: 409, code: 'evidence_changed' });
      expect(approved.status).toBe(200);
    });

    it('approves a version when a new scan has the findings of the evidence that was read', async () => {
      const name = await submitted(registry, 'MIT');
      await scan(name, 'high');
      const { evidence_version: expected_evidence_version } = await readEvidence(name);
      await scan(name, 'high');
      const approval = { override: ['scan_failed'], reason, expected_evidence_version };

      expect((await approve(registry, name, approval)).status).toBe(200);
    });

    it('decides each item of a bulk request by its own issue codes and evidence version', async () => {
      const names = [
        await submitted(registry, 'SSPL-1.0'),
        await submitted(registry, 'SSPL-1.0'),
        await submitted(registry, 'MIT'),
        await submitted(registry, 'MIT'),
      ] as const;
      const { packages } = (
        await registry.get('/api/v1/packages?view=full&status=pending&sort=-submitted_at&limit=4')
      ).body;
      const seen = Object.fromEntries(
        packages.map((one: { name: string; evidence_version: string }) => [
          one.name,
          one.evidence_version,
        ]),
      );
      for (const name of names.slice(1)) await scan(name, 'critical');

      const results = await decideAll([
        approvalOf(names[0], {
          ...{ override: ['license_rejected'], expected_evidence_version: seen[names[0]] },
        }),
        approvalOf(names[1], { override: ['license_rejected'] }),
        approvalOf(names[2], {
          ...{ override: ['scan_failed'], expected_evidence_version: seen[names[2]] },
        }),
        approvalOf(names[3], { override: ['scan_faild'] }),
      ]);

      expect(
        results.map(({ problem }: { problem?: { code: string } }) => problem?.code ?? 'done'),
      ).toEqual(['done', 'approval_blocked', 'evidence_changed', 'validation_failed']);
      expect(await Promise.all(names.map(statusOf))).toEqual([
        ...['approved', 'pending', 'pending', 'pending'],
      ]);
    });
  });

  it('rejects a version with blocking issues', async () => {
    const name = await submitted(registry, 'SSPL-1.0');

    expect((await registry.post(packagePath(name, '/reject'))).status).toBe(200);
  });
});

describe('an approval when only approved licenses are allowed', () => {
  let registry: TestRegistry;

  const demanding = (model: StackModel): StackModel => {
    const lambda = functionOf(model, 'approve-package');
    const variable = settingVariables.requireApprovedLicense;
    const environment = { ...lambda.environment, [variable]: 'true' };
    return {
      ...model,
      functions: { ...model.functions, [lambda.id]: { ...lambda, environment } },
    };
  };

  beforeAll(async () => {
    registry = await TestRegistry.start({ licenses: true, transform: demanding });
  });
  afterAll(() => registry.close());

  it.each([undefined, 'GPL v3', 'Their Terms', 'LicenseRef-Theirs', 'MIT AND LicenseRef-Theirs'])(
    'refuses a version under %s',
    async (license) => {
      const { status, body } = await approve(registry, await submitted(registry, license));

      expect(status).toBe(409);
      expect(codesOf(body)).toEqual(['license_not_approved']);
    },
  );

  it.each(['MIT', 'MIT License', 'Apache 2.0, ISC', 'MIT OR LicenseRef-Theirs'])(
    'approves a version under %s',
    async (license) => {
      expect((await approve(registry, await submitted(registry, license))).status).toBe(200);
    },
  );
});
