import { expect, it } from 'vitest';
import {
  listPypiDependencies,
  readRequirements,
} from '../../../../shared/ecosystems/pypi/manifest/requirements.ts';

it.each([
  ['idna<4,>=2.5', 'idna <4,>=2.5'],
  ['idna (<4,>=2.5)', 'idna <4,>=2.5'],
  ['idna', 'idna'],
  ['urllib3[socks,brotli] >= 1.21.1', 'urllib3 >= 1.21.1'],
  ['tomli>=1; python_version < "3.11"', 'tomli >=1'],
  ['colorama ; sys_platform == "win32"', 'colorama'],
  ['evil; python_version >= "3" or extra == "dev"', 'evil'],
  ['evil; (extra == "dev") or (os_name == "posix" or extra == "b")', 'evil'],
  ['evil; os_name != "extra"', 'evil'],
  ["evil; extra != 'dev'", 'evil'],
  ["evil; extra == ''", 'evil'],
  ["evil; extra in 'dev'", 'evil'],
  ['evil; extra == "dev" and', 'evil'],
  [`evil${'>=1,'.repeat(60)}<2`, 'evil'],
  [`evil>=1; ${'os_name != "a" and '.repeat(200)}os_name != "b"`, 'evil >=1'],
  ['evil @ https://example.com/evil.whl', 'evil @ https://example.com/evil.whl'],
])('keeps the mandatory requirement %s as %s', (text, kept) => {
  expect(readRequirements({ requires_dist: [text] })).toEqual([kept]);
});

it.each([
  'PySocks!=1.5.7,>=1.5.6; extra == "socks"',
  "chardet<6,>=3; python_version < '3' and extra == 'use_chardet'",
  'pytest; (python_version < "3" or os_name == "nt") and (extra == "a" or "b" == extra)',
  '-r other.txt',
  7,
])('drops %s', (text) => {
  expect(readRequirements({ requires_dist: [text] })).toEqual([]);
});

it('keeps at most 200 requirements, and none if upstream lists none', () => {
  const many = Array.from({ length: 500 }, (_, at) => `d${at}`);

  const extras = many.concat(many, many, many, many).map((name) => `${name}; extra == 'a'`);

  expect(readRequirements({ requires_dist: [...extras, 'evil'] })).toEqual(['evil']);
  expect(readRequirements({ requires_dist: many })).toHaveLength(200);
  expect(readRequirements({ requires_dist: null })).toEqual([]);
  expect(readRequirements({})).toEqual([]);
});

it('lists a dependency with the ranges of several platforms, one of which is enough', () => {
  const [numpy, plain] = listPypiDependencies(['numpy >=1.22, <2', 'plain', 'numpy >=2.1']);

  expect([numpy, plain].map((one) => `${one?.name} ${one?.range}`)).toEqual([
    'numpy >=1.22, <2 or >=2.1',
    'plain ',
  ]);
  expect(['1.21', '1.23', '2.0', '2.1'].map((version) => numpy?.accepts(version))).toEqual([
    ...[false, true, false, true],
  ]);
  expect(plain?.accepts('0.1')).toBe(true);
});

it('skips a dependency with invalid specifiers, or from another source', () => {
  expect(listPypiDependencies(['old >=1.0.*', 'evil @ https://example.com/e.whl'])).toEqual([]);
});

it('takes the spellings of one name for one dependency', () => {
  const [foo, ...others] = listPypiDependencies(['Foo_Bar >=2', 'foo-bar <1']);

  expect([foo?.name, others]).toEqual(['foo-bar', []]);
  expect(['0.9', '1.5', '2.0'].map((version) => foo?.accepts(version))).toEqual([
    ...[true, false, true],
  ]);
});
