import { describe, expect, inject, it } from 'vitest';
import { dataFormat } from '../../shared/api/data-format.ts';
import { makeFastFolder } from '../support/fast-folder.ts';
import type { TestRegistry } from '../support/registry.ts';
import { migrate, readAnswers, readFormats, startLoaded } from './loaded-registry.ts';
import { type ReleaseData, readFixtures } from './release-data.ts';

const expectAnswers = async (registry: TestRegistry, { answers }: ReleaseData): Promise<void> => {
  const read = await readAnswers(
    registry,
    answers.map(({ path }) => path),
  );
  expect(read).toEqual(answers);
};

describe.each(readFixtures())('data of release $release', (data) => {
  it('give the same answers after an upgrade of the tables', async () => {
    const registry = await startLoaded(data);

    await migrate(registry, inject('assembly'));
    await expectAnswers(registry, data);
    const formats = await readFormats(registry);
    await registry.close();

    expect(formats).toEqual(formats.map(() => ({ format: dataFormat })));
  });

  it('give the same answers after an upgrade of the local folder', async () => {
    const folder = makeFastFolder('upgrade-');
    const first = await startLoaded(data, { data: folder });
    await first.close();

    const second = await startLoaded(data, { data: folder, licenses: true });
    await expectAnswers(second, data);
    await second.close();
  });
});
