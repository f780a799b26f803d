import { describe, expect, it } from 'vitest';
import { listDependencies, listUnpinned, read, readExample } from './example.ts';

const git =
  'pytool @ git+https://git.example.com/pytool.git@f35e942147d891ec18b355e92450f07f8552a296';
const wheel = 'pyurl @ https://files.example.com/pyurl-1.0.0-py3-none-any.whl';

const poetry = {
  dependencies: [
    'click@8.1.7',
    'colorama@0.4.6 < click@8.1.7',
    'iniconfig@2.0.0 < pytool@1.0.0',
    'packaging@24.1 < local@1.0.0',
    'pluggy@1.5.0',
  ],
  unpinned: ['file local@1.0.0', 'git pytool@1.0.0', 'url pyurl@1.0.0'],
  own: [],
};

/** What does not say who asks for what. */
const flat = ['click@8.1.7', 'iniconfig@2.0.0', 'packaging@24.1', 'pluggy@1.5.0'].map(
  (one) => `${one} < ?`,
);

const expected = {
  'poetry-1.1/poetry.lock': poetry,
  'poetry-1.8/poetry.lock': poetry,
  'poetry-2.5/poetry.lock': poetry,
  'uv-0.13/uv.lock': {
    dependencies: [
      'attrs@24.2.0',
      'click@8.1.7',
      'colorama@0.4.6 < click@8.1.7',
      'iniconfig@2.0.0 < pytool@1.0.0',
      'packaging@24.1',
      'pluggy@1.5.0',
    ],
    unpinned: ['file local@1.0.0', 'git pytool@1.0.0', 'url pyurl@1.0.0'],
    own: ['shop', 'shop-core'],
  },
  'uv-0.13/pylock.toml': {
    dependencies: [...flat, 'colorama@0.4.6 < ?'].toSorted(),
    unpinned: ['file local', 'file shop-core', 'git pytool@1.0.0', 'url pyurl@1.0.0'],
    own: [],
  },
  'pip-26/pylock.toml': {
    dependencies: flat,
    unpinned: ['file local', 'git pytool', 'url pyurl'],
    own: [],
  },
  'pipenv-2026/Pipfile.lock': {
    dependencies: flat,
    unpinned: ['file local', 'git pytool', 'url pyurl'],
    own: [],
  },
  'uv-0.13/requirements.txt': {
    dependencies: [
      'click@8.1.7',
      'colorama@0.4.6 < click@8.1.7',
      `iniconfig@2.0.0 < ${git}`,
      'packaging@24.1',
      'pluggy@1.5.0',
    ],
    unpinned: ['file -e ./packages/core', 'file ./local', `git ${git}`, `url ${wheel}`],
    own: [],
  },
  'pip-tools-7/requirements.txt': {
    dependencies: [
      'click@8.1.7',
      `iniconfig@2.0.0 < ${git.replace(/@[^@]*$/, '@v1.0.0')}`,
      'packaging@24.1 < local @ file:///project/local',
      'pluggy@1.5.0',
    ],
    unpinned: [
      'file local @ file:///project/local',
      `git ${git.replace(/@[^@]*$/, '@v1.0.0')}`,
      `url ${wheel}`,
    ],
    own: [],
  },
};

it.each(Object.entries(expected))('reads %s', (path, { dependencies, unpinned, own }) => {
  const file = readExample(path);

  expect(listDependencies(file)).toEqual(dependencies);
  expect(listUnpinned(file)).toEqual(unpinned);
  expect(file.own).toEqual(own);
  expect([...file.dependencies, ...file.unpinned].every(({ line }) => line)).toBe(true);
});

describe('a line of requirements', () => {
  it.each([
    ['Django==4.2.1', 'django@4.2.1'],
    ['Django[argon2,bcrypt] == 4.2.1 ; python_version < "3.12"  # why', 'django@4.2.1'],
    ['foo>=1.0,==1.5', 'foo@1.5'],
    ['foo===2.0', 'foo@2.0'],
    ['foo (==1.2)', 'foo@1.2'],
    ['foo==1 --hash=sha256:abc \\\n    --hash=sha256:def', 'foo@1'],
    ['foo \\\n==1', 'foo@1'],
  ])('pins %j', (text, pinned) => {
    expect(listDependencies(read('requirements.txt', text))).toEqual([`${pinned} < ?`]);
  });

  it.each([
    ['-r base.txt', 'include'],
    ['--constraint=all.txt', 'include'],
    ['-call.txt', 'include'],
    ['foo', 'no_version'],
    ['foo[bar]; python_version > "3"', 'no_version'],
    ['foo>=1,<2', 'range'],
    ['foo==1.*', 'range'],
    ['foo~=1.4', 'range'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: pip puts variables in
    ['${NAME}==1.0', 'variable'],
    ['-e .', 'file'],
    ['./dist/foo-1.0.whl', 'file'],
    ['foo-1.0.tar.gz', 'file'],
    ['foo @ file:///foo', 'file'],
    ['-e git+https://git.example.com/foo.git#egg=foo', 'git'],
    ['hg+https://hg.example.com/foo', 'git'],
    ['https://files.example.com/foo-1.0.tar.gz', 'url'],
    ['foo@https://files.example.com/foo.zip', 'url'],
    ['--unknown', 'unreadable'],
    ['"foo"==1', 'unreadable'],
    ['foo==one', 'unreadable'],
  ])('leaves %j, for it is of the kind %s', (text, reason) => {
    const { dependencies, unpinned } = read('requirements.txt', text);

    expect(dependencies).toEqual([]);
    expect(unpinned).toMatchObject([{ reason, line: 1 }]);
  });

  it.each(['--index-url https://index.example.com/simple', '--pre', '# foo==1', '', '-i x'])(
    'may be a mere setting: %j',
    (text) => {
      expect(read('requirements.txt', text)).toMatchObject({ dependencies: [], unpinned: [] });
    },
  );
});

it('counts one version in two spellings once', () => {
  const { dependencies } = read('requirements.txt', 'Foo_Bar==1.0\nfoo-bar==1.0.0\n');

  expect(dependencies).toMatchObject([{ name: 'foo-bar', version: '1.0', line: 1 }]);
});

it.each([
  [
    'uv.lock',
    'version = 1\n[[package]]\nname = "flask"\nversion = "3.0.0"\nsource = { registry = "https://index.example.com" }\nwheels = [{ url = "https://files.example.com/flaskk-3.0.0-py3-none-any.whl" }]\n',
  ],
  [
    'pylock.toml',
    'lock-version = "1.0"\n[[packages]]\nname = "flask"\nversion = "3.0.0"\nsdist = { url = "https://files.example.com/evil-3.0.0.tar.gz" }\n',
  ],
])('believes in %s the file that is installed, and not the name beside it', (path, text) => {
  expect(listUnpinned(read(path, text))).toEqual(['url flask@3.0.0']);
});

it('reads the lockfile of a script of uv', () => {
  const text =
    'version = 1\n[manifest]\nrequirements = [{ name = "attrs", specifier = ">=1" }]\n[[package]]\nname = "attrs"\nversion = "24.2.0"\nsource = { registry = "https://index.example.com" }\n';

  expect(listDependencies(read('tool.py.lock', text))).toEqual(['attrs@24.2.0']);
});
