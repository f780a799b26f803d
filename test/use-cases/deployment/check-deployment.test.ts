import { describe, expect, it, vi } from 'vitest';
import { checkDeployment } from '../../../shared/use-cases/deployment/check-deployment.ts';

const strict = { environment: 'production', fourEyes: 'true', minimumAgeDays: '7' };
const loose = { environment: 'production', fourEyes: 'false', minimumAgeDays: '0' };
const deploy = (settings: Readonly<Record<string, string>>, ...loosen: readonly string[]) => ({
  settings,
  loosen,
});

const never = () => Promise.reject(new Error('nobody may ask'));
const going = (isRollback: boolean) => () => Promise.resolve(isRollback);

describe('checkDeployment', () => {
  it('names each loosened setting with both values, and what to do', async () => {
    const check = checkDeployment(deploy(strict), deploy(loose), going(false));

    await expect(check).rejects.toThrow(
      'the deployment would change fourEyes from true to false; minimumAgeDays from 7 to 0. Tables and settings stay as they are. Keep the values in the settings of the stage, or repeat the deployment with -c loosen=fourEyes,minimumAgeDays to change them on purpose',
    );
  });

  it('accepts what the deployment names, and nothing else', async () => {
    const all = deploy(loose, 'fourEyes', 'minimumAgeDays');
    const one = deploy(loose, 'fourEyes');

    await expect(checkDeployment(deploy(strict), all, never)).resolves.toBeUndefined();
    await expect(checkDeployment(deploy(strict), one, going(false))).rejects.toThrow(
      'change minimumAgeDays from 7 to 0. Tables',
    );
  });

  it('refuses tables that CloudFormation would replace, in production', async () => {
    const tables = { packages: 'TablesPackages1 name,version', scans: 'TablesScans1 v,s' };
    const before = { ...deploy(strict), tables };
    const deployWith = (next: Readonly<Record<string, string>>, ...loosen: readonly string[]) => ({
      ...deploy(strict, ...loosen),
      tables: next,
    });
    const other = { ...tables, scans: 'TablesScans1 v,s by-time:at' };
    const development = { ...strict, environment: 'development' };

    await expect(checkDeployment(before, deployWith(other), going(false))).rejects.toThrow(
      'replace tables with empty ones: scans (TablesScans1 v,s would be TablesScans1 v,s by-time:at). Tables and functions stay as they are. Deploy a release that keeps',
    );
    await checkDeployment(before, deployWith(other), going(true));
    await checkDeployment(before, deployWith(other, 'tables'), never);
    // A restored table, a new table, and a release without the property.
    await checkDeployment(before, deployWith({ packages: tables.packages, events: 'x' }), never);
    await checkDeployment(deploy(strict), deployWith(other), never);
    await checkDeployment({ ...deploy(development), tables }, deployWith(other), never);
  });

  it('shortens long values', async () => {
    const before = deploy({ ...strict, restoredTables: `{"packages":"${'p'.repeat(200)}"}` });
    const after = deploy({ ...strict, restoredTables: '{}' });

    await expect(checkDeployment(before, after, going(false))).rejects.toThrow(
      `restoredTables from {"packages":"${'p'.repeat(67)}… to {}. Tables`,
    );
  });

  it('forgets what an earlier deployment named', async () => {
    const before = deploy(strict, 'fourEyes', 'minimumAgeDays');

    await expect(checkDeployment(before, deploy(loose), going(false))).rejects.toThrow('fourEyes');
  });

  it('accepts the first deployment, a tightening, and a repetition, without a look at the stack', async () => {
    const isRollingBack = vi.fn(never);

    await checkDeployment(undefined, deploy(loose), isRollingBack);
    await checkDeployment(deploy(loose), deploy(strict), isRollingBack);
    await checkDeployment(deploy(strict), deploy(strict), isRollingBack);

    expect(isRollingBack).not.toHaveBeenCalled();
  });

  it('protects production, also from becoming development', async () => {
    const development = { ...strict, environment: 'development' };

    await expect(
      checkDeployment(deploy(strict), deploy(development), going(false)),
    ).rejects.toThrow('environment from production to development');
    await expect(
      checkDeployment(
        deploy(development),
        deploy({ ...loose, ...{ environment: 'development' } }),
        never,
      ),
    ).resolves.toBeUndefined();
    await expect(
      checkDeployment(deploy(development), deploy(loose), never),
    ).resolves.toBeUndefined();
  });

  it('accepts a rollback, and refuses if nobody says whether it is one', async () => {
    const rollback = checkDeployment(deploy(strict), deploy(loose), going(true));

    await expect(rollback).resolves.toBeUndefined();
    await expect(checkDeployment(deploy(strict), deploy(loose), never)).rejects.toThrow(
      'and the status of the stack cannot be read (Error: nobody may ask)',
    );
  });

  describe('of another data format', () => {
    const release = (dataFormat: number | undefined, ...loosen: readonly string[]) => ({
      dataFormat,
      ...deploy({ environment: 'development' }, ...loosen),
    });

    it('refuses a release of an earlier one, also in development, and says what to do', async () => {
      const check = checkDeployment(release(3), release(2), going(false));

      await expect(check).rejects.toThrow(
        'the tables have data of format 3, and this release knows formats up to 2. Tables and functions stay as they are. Deploy the release of the data, or restore all tables to a moment before their upgrade (docs/upgrade.md) and name the change with -c loosen=dataFormat,restoredTables,restoredStreams',
      );
    });

    it('accepts a later one, equal ones, and releases without a number', async () => {
      await checkDeployment(release(2), release(10), never);
      await checkDeployment(release(2), release(2), never);
      await checkDeployment(release(undefined), release(1), never);
      await checkDeployment(release(1), release(undefined), never);
    });

    it('accepts an earlier one that the deployment names, and on a rollback', async () => {
      await checkDeployment(release(3), release(2, 'dataFormat'), never);
      await checkDeployment(release(3), release(2), going(true));

      await expect(checkDeployment(release(3), release(2), never)).rejects.toThrow(
        'formats up to 2, and the status of the stack cannot be read',
      );
    });

    it('keeps the protected settings, if it is named', async () => {
      const before = { ...deploy(strict), dataFormat: 2 };
      const after = { ...deploy(loose, 'dataFormat'), dataFormat: 1 };

      await expect(checkDeployment(before, after, going(false))).rejects.toThrow('fourEyes');
    });
  });
});
