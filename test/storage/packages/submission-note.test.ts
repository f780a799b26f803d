import { afterAll, beforeAll, expect, it } from 'vitest';
import { lodashDetail } from '../../../shared/api/openapi/examples/packages.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { putVersion } from '../../support/put-version.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

it('stores why a version is wanted', async () => {
  await putVersion(lodashDetail, { justification: 'needed for reports' });

  expect(await findVersion(lodashDetail)).toMatchObject({ justification: 'needed for reports' });
});
