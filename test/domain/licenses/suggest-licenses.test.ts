import { expect, it } from 'vitest';
import { suggestLicenses } from '../../../shared/domain/licenses/suggest-licenses.ts';

it.each([
  ['Apach-2.0', ['Apache-2.0']],
  ['MTI', ['MIT']],
  ['Not MIT', ['MIT']],
  ['MIT OR', ['MIT']],
  ['GPL-4.0', ['GPL-1.0-only', 'GPL-2.0-only', 'GPL-3.0-only']],
  ['Mozila Public Licence', ['MPL-1.0', 'MPL-1.1', 'MPL-2.0']],
  ['Acme EULA', []],
  ['', []],
  ['x'.repeat(2000), []],
])('suggests for %j: %j', (text, suggested) => {
  expect(suggestLicenses(text)).toEqual(suggested);
});
