import type { StackModel } from 'local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingVariables } from '../../shared/resources.ts';
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
  ])('of a version under %s is refused with the reason, and changes nothing', async (license) => {
    const name = await submitted(registry, license);

    const { status, body } = await approve(registry, name);

    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'approval_blocked' });
    expect(body.reasons).toEqual([
      { code: 'license_rejected', message: expect.stringContaining('is rejected') },
    ]);
    expect((await registry.get(packagePath(name))).body.status).toBe('pending');
  });

  it('of a version under another spelling of a rejected license says how it reads', async () => {
    const name = await submitted(registry, 'GNU Affero General Public License v3');

    const { status, body } = await approve(registry, name);

    expect(status).toBe(409);
    expect(body.reasons).toEqual([
      {
        code: 'license_rejected',
        message:
          'The license GNU Affero General Public License v3, which reads as AGPL-3.0-only, is rejected.',
      },
    ]);
  });

  it('of a version with a choice says the whole of how it reads', async () => {
    const license = 'AGPLv3 OR ISC AND Foo';
    const name = await submitted(registry, license);

    const { body } = await approve(registry, name);
    const detail = (await registry.get(packagePath(name))).body;
    const record = (await registry.get(`/api/v1/licenses/${encodeURIComponent(license)}`)).body;

    const reading = 'AGPL-3.0-only OR ISC AND Foo';
    expect(detail.license_reading).toBe(reading);
    expect(record).toMatchObject({ name: license, reading, status: 'rejected' });
    expect(body.reasons[0].message).toContain(`which reads as ${reading}, is rejected`);
  });

  it('of a version under what cannot be read goes through, and says that it is unreviewed', async () => {
    const name = await submitted(registry, 'Acme Terms of Use');

    const { status, body } = await approve(registry, name);

    expect(status).toBe(200);
    expect(body).toMatchObject({ license: 'Acme Terms of Use', license_reading: null });
    expect(body.license_note).toContain('unreviewed');
  });

  it('of a version under what is no valid expression is refused: nothing is known of it', async () => {
    const name = await submitted(registry, 'AGPL-3.0-only OR');

    const { body } = await approve(registry, name);

    expect(body.reasons).toEqual([
      { code: 'license_not_approved', message: expect.stringContaining('no valid expression') },
    ]);
  });

  it.each([undefined, 'MIT', 'GPL-3.0-only', 'MIT OR SSPL-1.0', 'Some license of theirs'])(
    'of a version under %s goes through',
    async (license) => {
      const name = await submitted(registry, license);

      expect((await approve(registry, name)).status).toBe(200);
    },
  );

  it('overrides a reason with a reason, which is kept with what it overrode', async () => {
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

  it('is not overridden without a reason', async () => {
    const name = await submitted(registry, 'SSPL-1.0');

    const { status, body } = await approve(registry, name, { override: true });

    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: 'reason', message: expect.stringContaining('required') }]);
  });

  it('follows a decision on the license at once', async () => {
    const name = await submitted(registry, 'BSL-1.0');
    await registry.send('PUT', '/api/v1/licenses/BSL-1.0', { body: { status: 'rejected' } });

    expect((await approve(registry, name)).status).toBe(409);

    await registry.send('PUT', '/api/v1/licenses/BSL-1.0', { body: { status: null } });
    expect((await approve(registry, name)).status).toBe(200);
  });

  it('is not stood in the way of when it is a rejection', async () => {
    const name = await submitted(registry, 'SSPL-1.0');

    expect((await registry.post(packagePath(name, '/reject'))).status).toBe(200);
  });
});

describe('an approval where only approved licenses will do', () => {
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
    'is refused under %s',
    async (license) => {
      const { status, body } = await approve(registry, await submitted(registry, license));

      expect(status).toBe(409);
      expect(codesOf(body)).toEqual(['license_not_approved']);
    },
  );

  it.each(['MIT', 'MIT License', 'Apache 2.0, ISC', 'MIT OR LicenseRef-Theirs'])(
    'goes through under %s',
    async (license) => {
      expect((await approve(registry, await submitted(registry, license))).status).toBe(200);
    },
  );
});
