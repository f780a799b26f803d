import { expect, it } from 'vitest';
import type { PackageName } from '../../../shared/domain/packages/package-id.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import {
  findSimilarNames,
  saveApprovedName,
} from '../../../shared/storage/packages/approved-names.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import { measure } from '../../support/engine.ts';
import { readReviews } from '../../use-cases/vulnerability-index/accepted-registry.ts';

const named =
  (ecosystem: Ecosystem) =>
  (name: string): PackageName => ({ ecosystem, name });
const npm = named('npm');

const known = [
  ...['lodash', 'cross-env', '@types/node', 'express', 'react'].map(npm),
  ...['lodash', 'Typing_Extensions'].map(named('pypi')),
];

beginEachWith(async () => {
  for (const name of known) await saveApprovedName(name);
});

it.each([
  [npm('1odash'), ['lodash']],
  [npm('loadsh'), ['lodash']],
  [npm('expres'), ['express']],
  [npm('crossenv'), ['cross-env']],
  [npm('typesnode'), ['@types/node']],
  [npm('sadhol'), []],
  [npm('lodash'), []],
  [named('pypi')('typing-extension5'), []],
  [named('pypi')('typingextensions'), ['typing-extensions']],
  [named('pypi')('Typing.Extensions'), []],
  [named('docker')('1odash'), []],
] as const)('finds the names that %j resembles', async (name, similar) => {
  expect(await findSimilarNames(name)).toEqual(similar);
});

it('finds nothing for a name that was approved in spite of the resemblance', async () => {
  await saveApprovedName(npm('loadsh'));

  expect(await findSimilarNames(npm('loadsh'))).toEqual([]);
  expect(await findSimilarNames(npm('l0dash'))).toEqual(['lodash']);
});

it('searches with one query, which costs half a read unit', async () => {
  const { calls, readUnits } = await measure(() => findSimilarNames(npm('1odash')));

  expect([calls, readUnits]).toEqual([1, 0.5]);
});

it('finds a name among 100 others with the same letters', async () => {
  const letters = [...'bcdefghijk'];
  for (const one of letters) {
    for (const other of letters) {
      const rest = letters.filter((letter) => letter !== one && letter !== other).join('');
      await saveApprovedName(npm(`a${one}${other}${rest}${one === other ? one : ''}`));
    }
  }
  await saveApprovedName(npm('kbcdefghija'));

  expect(await findSimilarNames(npm('bkcdefghija'))).toEqual(['kbcdefghija']);
  expect(await findSimilarNames(npm('kbcdefghija'))).toEqual([]);
});

it('writes each name once, in whichever spelling it comes', async () => {
  const before = await readReviews();

  const again = await measure(() => saveApprovedName(named('pypi')('typing.extensions')));
  const first = await measure(() => saveApprovedName(npm('vue')));

  expect([again.calls, again.readUnits, again.writeUnits]).toEqual([1, 0.5, 0]);
  expect([first.calls, first.readUnits, first.writeUnits]).toEqual([2, 0.5, 1]);
  expect(await readReviews()).toHaveLength(before.length + 1);
});
