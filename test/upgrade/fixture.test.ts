import { beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../../shared/api/all-routes.ts';
import { dataFormat } from '../../shared/api/data-format.ts';
import { recordRelease } from './record-release.ts';
import { type ReleaseData, readFixtures, sizeOfFixture, writeFixture } from './release-data.ts';
import { listShapes } from './shapes.ts';

/** `npm run fixture` sets it. */
const isWriting = process.env['FIXTURE'] === 'write';

const readme = 'CONTRIBUTING.md, "Change what is stored", says what to do';

let now: ReleaseData;
let stored: ReadonlySet<string>;
beforeAll(async () => {
  now = await recordRelease();
  stored = new Set(listShapes(now.tables));
});

const listRead = ({ answers }: ReleaseData): string[] =>
  answers.flatMap(({ path, status }) => (status === 200 ? [path.split('?')[0] ?? ''] : []));

describe('the items that this release stores', () => {
  it.each(readFixtures().filter(({ format }) => format === dataFormat))(
    'have all that items of release $release have, in the same format',
    ({ tables }) => {
      const lost = listShapes(tables).filter((line) => !stored.has(line));

      expect(lost, `Stored items changed, so the data format has to: ${readme}`).toEqual([]);
    },
  );

  it('are the ones in its fixture', ({ task }) => {
    // A fixture with lost items would hide that a migration is missing.
    const isRefused = task.suite?.tasks.some(({ result }) => result?.state === 'fail');
    if (isWriting && !isRefused) writeFixture(now);
    const own = readFixtures().find(({ release }) => release === now.release);

    expect(own && listShapes(own.tables), `npm run fixture: ${readme}`).toEqual([...stored]);
  });
});

describe('the fixture of this release', () => {
  const readOwn = (): ReleaseData => {
    const own = readFixtures().find(({ release }) => release === now.release);
    if (!own) throw new Error('npm run fixture writes it');
    return own;
  };

  it('has items of every table', () => {
    const counts = Object.entries(readOwn().tables).map(([id, items]) => [id, items.length > 1]);

    expect(counts.filter(([, isFilled]) => !isFilled)).toEqual([]);
  });

  it('has an answer of every route that reads data', () => {
    const read = listRead(readOwn());
    const unread = allRoutes
      .filter(({ method, path }) => method === 'GET' && /^\/(api|npm|pypi|maven)\//.test(path))
      .map(({ path }) => path)
      .filter((path) => {
        const pattern = new RegExp(
          `^${path.replace(/\{\w+\+\}/g, '.+').replace(/\{\w+\}/g, '[^/]+')}$`,
        );
        return !read.some((one) => pattern.test(one));
      });

    expect(unread).toEqual([]);
  });

  it('is smaller than 200 kB', () => {
    expect(sizeOfFixture(now.release)).toBeLessThan(200_000);
  });
});
