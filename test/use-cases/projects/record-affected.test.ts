import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { listRecords } from '../../../shared/storage/decisions/records.ts';
import { toUseKey, usesTable } from '../../../shared/storage/projects/project-items.ts';
import { recordAffected } from '../../../shared/use-cases/projects/record-affected.ts';
import { put } from '../../storage/integrity/reviewed-registry.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';

const id = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' } as const;
const change = { at: '2026-11-26T08:00:00.000Z', to: 'rejected' } as const;

const use = (project: string, ref = 'main') =>
  put(usesTable.id, { ...toUseKey(id, { project, ref }), direct: true });

const record = () => recordAffected(toVersionKey(id), change);
const listAffected = () => listRecords(id, { count: 10 });

describe('the record of affected projects', () => {
  let engine: TestEngine;
  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(() => engine.close());

  it('has the number of projects, each counted once, and no names', async () => {
    await use('shop');
    await use('shop', 'next');
    await use('till');

    await record();

    const [affected, ...others] = await listAffected();
    expect(others).toEqual([]);
    expect(affected).toMatchObject({
      ...{ type: 'project.affected', from: 'approved', to: 'rejected', projects: 2 },
      ...{ reason: '2 projects use this version.', by: null, token_label: null },
    });
    expect(JSON.stringify(affected)).not.toMatch(/shop|till/);
  });

  it('is made once, however often a change is reported', async () => {
    await use('shop');

    await record();
    await use('till');
    await record();

    expect(await listAffected()).toMatchObject([{ reason: '1 project uses this version.' }]);
  });

  it('is not made without a project, for half a read unit', async () => {
    const { readUnits, writeUnits } = await measure(record);

    expect(await listAffected()).toEqual([]);
    expect({ readUnits, writeUnits }).toEqual({ readUnits: 0.5, writeUnits: 0 });
  });

  it('says that more may use the version than were counted', async () => {
    for (let at = 0; at <= 1000; at += 1) await use(`project-${at}`);

    await record();

    expect(await listAffected()).toMatchObject([
      { projects: 1000, reason: 'At least 1,000 projects use this version.' },
    ]);
  });
});
