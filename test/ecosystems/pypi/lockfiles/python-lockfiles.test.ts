import { describe, expect, it } from 'vitest';
import { listDependencies, listUnpinned, read, readExample } from '../../lockfiles/example.ts';

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
  'pdm-2.24/pdm.lock': {
    dependencies: [
      'attrs@24.2.0',
      'click@8.1.7',
      'colorama@0.4.6 < click@8.1.7',
      'docopt@0.6.2',
      'linkify-it-py@2.2.0 < markdown-it-py@3.0.0',
      'markdown-it-py@3.0.0',
      'mdurl@0.1.2 < markdown-it-py@3.0.0',
      'packaging@24.1 < local@1.0.0',
    ],
    unpinned: ['file local@1.0.0', 'url pluggy@1.5.0'],
    own: [],
  },
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

const uvOf = (files: string): string =>
  `version = 1\n[[package]]\nname = "flask-login"\nversion = "3.0.0"\nsource = { registry = "https://index.example.com" }\n${files}\n`;
const poetryOf = (file: string, url?: string): string =>
  `[metadata]\n[[package]]\nname = "flask-login"\nversion = "3.0.0"\nfiles = [{file = "${file}", hash = "sha256:${'0a'.repeat(32)}"${url === undefined ? '' : `, url = "${url}"`}}]\n`;
const poetryAt = (file: string): string =>
  poetryOf('flask_login-3.0.0-py3-none-any.whl', `https://files.example.com/${file}`);
const toPdm = (text: string): string => text.replace(']', ']\nlock_version = "4.5.0"');

describe.each([
  [
    'uv.lock',
    (file: string) => uvOf(`wheels = [{ url = "https://files.example.com/0a/${file}" }]`),
  ],
  ['uv.lock', (file: string) => uvOf(`sdist = { path = "mirror/${file}" }`)],
  [
    'pylock.toml',
    (file: string) =>
      `lock-version = "1.0"\n[[packages]]\nname = "flask-login"\nversion = "3.0.0"\nwheels = [{ name = "${file}", url = "https://files.example.com/flask_login-3.0.0-py3-none-any.whl", hashes = {} }]\n`,
  ],
  ['poetry.lock', (file: string) => poetryOf(file)],
  ['poetry.lock', poetryAt],
  ['pdm.lock', (file: string) => toPdm(poetryOf(file))],
  ['pdm.lock', (file: string) => toPdm(poetryAt(file))],
])('the name of a file in %s', (path, toText) => {
  it.each([
    'flask_login-3.0.0-py3-none-any.whl',
    'Flask_Login-3.0-1-cp312-cp312-manylinux_2_17_x86_64.whl',
    'flask_login-3.0.0.tar.gz',
    'Flask-Login-3.0.zip',
    'Flask_Login-3.0.0-py3.11.egg',
  ])('may be %s', (file) => {
    expect(listDependencies(read(path, toText(file)))).toEqual([
      expect.stringMatching(/^flask-login@3\.0\.0/),
    ]);
  });

  it.each([
    'flask_login-3.0.1-py3-none-any.whl',
    'flask_login-2.9.tar.gz',
    'flask_login_evil-3.0.0-py3-none-any.whl',
    'evil-3.0.0.tar.gz',
    'flask-login-evil-3.0.0.tar.gz',
    'flask_login.whl',
  ])('is of another version or package: %s', (file) => {
    expect(listUnpinned(read(path, toText(file)))).toEqual(['url flask-login@3.0.0']);
  });
});

const sha256 = `sha256:${'0a'.repeat(32)}`;

it.each([
  ['requirements.txt', `flask==3.0.0 --hash=${sha256} \\\n    --hash sha256:short\n`],
  ['poetry.lock', poetryOf('flask_login-3.0.0.tar.gz')],
  [
    'poetry.lock',
    `[[package]]\nname = "flask"\nversion = "3.0.0"\n[metadata.files]\nflask = [{file = "flask-3.0.0.tar.gz", hash = "${sha256}"}]\n`,
  ],
  [
    'uv.lock',
    uvOf(`wheels = [{ filename = "flask_login-3.0.0-py3-none-any.whl", hash = "${sha256}" }]`),
  ],
  [
    'pylock.toml',
    `lock-version = "1.0"\n[[packages]]\nname = "flask"\nversion = "3.0.0"\nsdist = { name = "flask-3.0.0.tar.gz", hashes = { sha256 = "${'0A'.repeat(32)}" } }\n`,
  ],
  [
    'Pipfile.lock',
    JSON.stringify({ _meta: {}, default: { flask: { version: '==3.0.0', hashes: [sha256] } } }),
  ],
])('reads the hashes of files in %s', (path, text) => {
  const { dependencies, unpinned } = read(path, text);

  expect(unpinned).toEqual([]);
  expect(dependencies.map(({ hashes }) => hashes?.map((hash) => hash.toLowerCase()))).toEqual([
    [sha256],
  ]);
});

describe('where packages are looked for', () => {
  const address = 'https://index.example.com/simple';

  it.each([
    ['requirements.txt', `--index-url ${address}`, 'index'],
    ['requirements.txt', `--index-url=${address}`, 'index'],
    ['requirements.txt', `-i ${address}`, 'index'],
    ['requirements.txt', `-i${address}`, 'index'],
    ['requirements.txt', `--extra-index-url ${address} # why`, 'index'],
    ['requirements.txt', `--find-links ${address}`, 'links'],
    ['requirements.txt', `-f ${address}`, 'links'],
    ['uv.lock', uvOf('').replace('https://index.example.com', address), 'index'],
    [
      'poetry.lock',
      `[metadata]\n[[package]]\nname = "a"\nversion = "1"\n[package.source]\ntype = "legacy"\nurl = "${address}"\n`,
      'index',
    ],
    ['Pipfile.lock', JSON.stringify({ _meta: { sources: [{ url: address }] } }), 'index'],
    [
      'pylock.toml',
      `lock-version = "1.0"\n[[packages]]\nname = "a"\nversion = "1"\nindex = "${address}"\n`,
      'index',
    ],
  ])('is told by %s: %s', (path, text, kind) => {
    expect(read(path, text).sources).toEqual([
      { ecosystem: 'pypi', kind, address, line: expect.any(Number) },
    ]);
  });

  it('is told without credentials, and once', () => {
    const text = '-i https://me:secret@index.example.com/\n-i https://index.example.com/\n';

    expect(read('requirements.txt', text).sources).toMatchObject([
      { address: 'https://index.example.com/' },
    ]);
  });
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

it('reads in the lockfile of PDM what comes from Git, and files in the list of all packages', () => {
  const text = `[metadata]\nlock_version = "4.3"\n[metadata.files]\n"flask 3.0.0" = [{url = "https://files.example.com/flask-3.0.0.tar.gz", hash = "${sha256}"}]\n[[package]]\nname = "flask"\nversion = "3.0.0"\n[[package]]\nname = "tool"\nversion = "1.0"\ngit = "https://git.example.com/tool.git"\nref = "v1"\nrevision = "0a0a"\n`;

  const file = read('pdm.lock', text);

  expect(file.dependencies).toMatchObject([
    {
      name: 'flask',
      hashes: [sha256],
      addresses: ['https://files.example.com/flask-3.0.0.tar.gz'],
    },
  ]);
  expect(file.unpinned).toMatchObject([
    { text: 'tool@1.0', reason: 'git', detail: 'https://git.example.com/tool.git#0a0a' },
  ]);
});

it('reads the lockfile of a script of uv', () => {
  const text =
    'version = 1\n[manifest]\nrequirements = [{ name = "attrs", specifier = ">=1" }]\n[[package]]\nname = "attrs"\nversion = "24.2.0"\nsource = { registry = "https://index.example.com" }\n';

  expect(listDependencies(read('tool.py.lock', text))).toEqual(['attrs@24.2.0']);
});
