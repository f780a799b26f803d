import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLicensePolicy } from '../../infra/license-policy.ts';
import { dataFormat } from '../../shared/api/data-format.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { formatKey } from '../../shared/storage/dynamodb/format-item.ts';
import { type CloudFormationStandIn, serveCloudFormation } from '../support/cloudformation.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { putFormats } from '../support/formats.ts';
import { synthesiseStack } from '../support/stack-template.ts';
import { allSettings } from './all-settings.ts';
import { findResource } from './properties/property.ts';

describe('the migration of the data', () => {
  it.each([
    ['without settings', {}],
    ['with all settings', allSettings],
  ])('follows every other part of a stack %s, except the licenses', (_, settings) => {
    const template = synthesiseStack(settings);
    const migration = findResource(template, 'Custom::DataFormat', 'DataMigration');
    const licenses = findResource(template, 'Custom::LicenseCatalogue', 'LicenseCatalogue');
    const ids = Object.keys(template.toJSON()['Resources']);
    const before = new Set(migration['DependsOn']);

    expect(ids.filter((id) => !before.has(id)).sort()).toEqual([migration.id, licenses.id].sort());
    expect(licenses['DependsOn']).toContain(migration.id);
  });
});

describe('the function of the migration', () => {
  let engine: TestEngine;
  let cloudFormation: CloudFormationStandIn;
  beforeAll(async () => {
    engine = await startEngine();
    cloudFormation = await serveCloudFormation();
    // The function reads the same variables as the engine's client.
    Object.assign(process.env, {
      AWS_REGION: engine.region,
      AWS_ACCESS_KEY_ID: engine.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: engine.credentials.secretAccessKey,
    });
  });
  afterAll(async () => {
    await cloudFormation.close();
    await engine.close();
  });

  const later = dataFormat + 1;
  const putLater = async (table: 'scans' | 'licenses'): Promise<void> => {
    await putFormats(engine, {}, { format: dataFormat });
    const item = { ...formatKey(table), format: later };
    await dynamodb.send(new PutCommand({ TableName: table, Item: item }));
  };
  const update = () =>
    cloudFormation.send('migrate-data', {
      ...{ RequestType: 'Update', PhysicalResourceId: 'Migrate' },
      ...{ ResourceProperties: {}, OldResourceProperties: {} },
    });

  it.each([
    ['fails', 'UPDATE_IN_PROGRESS', /has data of format .* before their upgrade$/],
    ['succeeds while the stack rolls back', 'UPDATE_ROLLBACK_IN_PROGRESS', undefined],
    ['fails if nobody says whether the stack rolls back', undefined, /cannot be read/],
  ])('%s, with data of a later release', async (_, status, reason) => {
    await putLater('scans');
    cloudFormation.status = status;

    expect(await update()).toMatchObject(
      reason === undefined
        ? { Status: 'SUCCESS' }
        : { Status: 'FAILED', Reason: expect.stringMatching(reason) },
    );
  });

  describe('with data of a later release, the list of licenses', () => {
    const load = (request: Readonly<Record<string, unknown>>) =>
      cloudFormation.send('load-licenses', {
        ...{ PhysicalResourceId: 'Load', ResourceProperties: { policy: '{}' } },
        ...request,
      });

    it.each([
      ['fails, and says why', 'UPDATE_IN_PROGRESS', /data of format \d+, and this release knows/],
      ['lets the stack roll back', 'UPDATE_ROLLBACK_IN_PROGRESS', undefined],
    ])('%s', async (_, status, reason) => {
      await putLater('licenses');
      cloudFormation.status = status;
      const properties = { policy: JSON.stringify(readLicensePolicy('infra/license-policy.json')) };

      expect(await load({ RequestType: 'Update', ResourceProperties: properties })).toMatchObject(
        reason === undefined
          ? { Status: 'SUCCESS' }
          : { Status: 'FAILED', Reason: expect.stringMatching(reason) },
      );
    });

    it('lets the stack be deleted', async () => {
      await putLater('licenses');

      expect(await load({ RequestType: 'Delete' })).toMatchObject({ Status: 'SUCCESS' });
    });
  });
});
