import { describe, expect, it, vi } from 'vitest';
import { settleFiles } from '../../../../shared/use-cases/dependency-check/settle-files.ts';
import { exampleText, read, readExample } from '../../lockfiles/example.ts';

const hash = `--hash=sha256:${'0a'.repeat(32)}`;
const hashed = (...pins: readonly string[]): string =>
  pins.map((pin) => `${pin} ${hash}\n`).join('');
const buildOf = (...requires: readonly string[]): string =>
  `[build-system]\nrequires = ${JSON.stringify(requires)}\n`;

/** What a check says of each file that it was given with the others. */
const settle = (files: Readonly<Record<string, string>>) => {
  const settled = settleFiles(
    Object.entries(files).map(([path, text]) => ({
      ...{ path, fault: undefined },
      content: read(path, text),
    })),
  );
  return Object.fromEntries(settled.map(({ path, content }) => [path, content]));
};

describe('a package without a wheel', () => {
  it.each(['uv-0.13/built/uv.lock', 'pdm-2.24/pdm.lock'])('is built by %s', (path) => {
    expect(readExample(path).builds).toEqual({
      ...{ packages: ['docopt@0.6.2'], mayBeMore: false, requires: [] },
    });
  });

  it.each([
    [
      'poetry.lock',
      '[metadata]\n[[package]]\nname = "a"\nversion = "1"\nfiles = [{file = "a-1.tar.gz", hash = "x"}]\n',
    ],
    [
      'pdm.lock',
      '[metadata]\nlock_version = "4.3"\n[metadata.files]\n"a 1" = [{url = "https://files.example.com/a-1.tar.gz"}]\n[[package]]\nname = "a"\nversion = "1"\n',
    ],
    [
      'pdm.lock',
      '[metadata]\nlock_version = "4.5.0"\n[[package]]\nname = "a"\nversion = "1"\nfiles = [{url = "https://files.example.com/a-1.tar.gz#x.whl"}]\n',
    ],
    [
      'pdm.lock',
      '[metadata]\nlock_version = "4.5.0"\n[[package]]\nname = "a"\nversion = "1"\nfiles = [{file = "a-1-py3-none-any.whl", url = "https://files.example.com/a-1.tar.gz?x.whl"}]\n',
    ],
    [
      'pylock.toml',
      'lock-version = "1.0"\n[[packages]]\nname = "a"\nversion = "1"\nsdist = {url = "https://files.example.com/a-1.zip"}\n',
    ],
  ])('is built by %s, as %j says', (path, text) => {
    expect(read(path, text).builds?.packages).toEqual(['a@1']);
    expect(settle({ [path]: text })[path]?.incomplete).toMatch(
      /^It has no wheel of a@1, .* uv pip compile --generate-hashes/,
    );
  });

  it.each(['poetry-2.5/poetry.lock', 'uv-0.13/uv.lock', 'uv-0.13/pylock.toml'])(
    'is none that %s has, and nothing is said of it',
    (path) => {
      const file = readExample(path);
      const [settled] = settleFiles([{ path, content: file, fault: undefined }]);

      expect(file.builds?.packages).toEqual([]);
      expect(settled?.content).toEqual(file);
    },
  );

  it('is named for ten packages, and counted for the others', () => {
    const packages = Array.from(
      { length: 12 },
      (_, at) => `[[package]]\nname = "p${at}"\nversion = "1"\nfiles = [{file = "p${at}-1.zip"}]\n`,
    );

    const { incomplete } =
      settle({ 'poetry.lock': `[metadata]\n${packages.join('')}` })['poetry.lock'] ?? {};

    expect(incomplete).toContain('p9@1, 2 more, so that');
  });
});

describe('no-build of uv', () => {
  const lock = exampleText('uv-0.13/built/uv.lock');
  const explain = (files: Readonly<Record<string, string>>) =>
    settle({ 'app/uv.lock': lock, ...files })['app/uv.lock']?.incomplete;
  const settings = '[tool.uv]\nno-build = true\n';

  it('has nothing be built by the lockfile beside it', () => {
    expect(explain({ 'app/pyproject.toml': settings })).toBeUndefined();
  });

  it.each([
    ['in a folder above', { 'pyproject.toml': settings }],
    ['in a member of the workspace', { 'app/part/pyproject.toml': settings }],
    ['that is false', { 'app/pyproject.toml': '[tool.uv]\nno-build = false\n' }],
    [
      'with the package as an exception',
      { 'app/pyproject.toml': `${settings}no-binary-package = ["Docopt"]\n` },
    ],
  ])('does not count %s', (_, files) => {
    expect(explain(files)).toMatch(/^It has no wheel of docopt@0\.6\.2, .* no-build = true/);
  });
});

it('does not take no-build of a project for a script beside it', () => {
  const files = {
    'tool.py.lock': exampleText('uv-0.13/built/uv.lock'),
    'pyproject.toml': '[tool.uv]\nno-build = true\n',
  };

  expect(settle(files)['tool.py.lock']?.incomplete).toMatch(/^It has no wheel of docopt/);
});

describe('a list of requirements', () => {
  // What FormatControl of pip 23.2.1 decides.
  it.each([
    ['either', []],
    ['wheel', ['--only-binary :all:']],
    ['wheel', ['--only-binary=:all:']],
    ['source', ['--no-binary :all:']],
    ['source', ['--no-binary foo_bar']],
    ['source', ['--only-binary :all:', '--no-binary foo.bar']],
    ['wheel', ['--no-binary :all:', '--only-binary foo-bar']],
    ['wheel', ['--no-binary foo-bar', '--only-binary :all:']],
    ['either', ['--only-binary :all:', '--only-binary :none:']],
    ['source', ['--no-binary a,Foo-Bar']],
    ['wheel', ['--only-binary :all:', '--no-binary other']],
    ['wheel', ['--no-binary foo-bar', '--only-binary foo-bar']],
    ['wheel', ['--pre --only-binary :all:']],
    ['source', ['--no-binary a,:all:,:none:,foo-bar']],
  ])('has a package installed as %s by %j', (way, lines) => {
    const { builds } = read('requirements.txt', [...lines, 'foo-bar==1.0'].join('\n'));

    expect(builds).toEqual({
      packages: way === 'source' ? ['foo-bar@1.0'] : [],
      mayBeMore: way === 'either',
      requires: [],
    });
  });

  it('is noted for not saying what is built, where it is whole', () => {
    const text = hashed('a==1');
    const besides = {
      'requirements.txt': text,
      'build-requirements.txt': hashed('setuptools==80'),
    };

    const alone = settle({ 'requirements.txt': text });

    expect(alone['requirements.txt']).toMatchObject({
      incomplete: undefined,
      note: expect.stringContaining('With --only-binary :all: nothing is built'),
    });
    expect(settle({ 'requirements.txt': 'a==1\n' })['requirements.txt']?.note).toBeUndefined();
    expect(settle({ 'requirements.txt': `--only-binary :all:\n${text}` })).toMatchObject({
      'requirements.txt': { incomplete: undefined, note: undefined },
    });
    expect(Object.values(settle(besides)).map((file) => file?.note)).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('what the build of a project requires', () => {
  it('is checked as far as it is pinned, and what comes from elsewhere is named', () => {
    const text = `\n${buildOf('flit_core==3.9.0', 'setuptools>=61', 'wheel', 'x @ git+https://git.example.com/x.git')}`;

    expect(read('pyproject.toml', text)).toMatchObject({
      dependencies: [{ name: 'flit-core', version: '3.9.0', line: 3, through: [] }],
      unpinned: [{ reason: 'git', line: 3 }],
    });
  });

  it.each([
    ['[tool.uv]\npackage = false\n'],
    ['[tool.poetry]\npackage-mode = false\n'],
    ['[tool.pdm]\ndistribution = false\n'],
    ['[tool.ruff]\n'],
    ['[tool.uv]\nno-index = true\n'],
  ])('is nothing where the project is not installed: %j', (settings) => {
    const build = /ruff|no-index/.test(settings) ? '' : buildOf('flit_core==3.9.0');
    const { dependencies, builds } = read('pyproject.toml', settings + build);

    expect([dependencies, builds?.requires]).toEqual([[], []]);
  });

  it('is setuptools where uv installs a project without a [build-system]', () => {
    const text = '[project]\nname = "a"\n[tool.uv]\npackage = true\n';

    expect(settle({ 'pyproject.toml': text })['pyproject.toml']).toMatchObject({
      builds: { requires: ['setuptools>=40.8.0'] },
      incomplete: expect.stringMatching(/^Its build requires setuptools>=40\.8\.0/),
    });
    expect(read('pyproject.toml', text + buildOf('flit_core')).builds?.requires).toEqual([
      'flit_core',
    ]);
  });

  it('has the line of the table of the build, also where the project asks for the same', () => {
    const text = `[project]\ndependencies = ["a==1"]\n${buildOf('a==1', 'b==1')}`;

    expect(read('pyproject.toml', text).dependencies).toMatchObject([
      { name: 'a', line: 4 },
      { name: 'b', line: 4 },
    ]);
  });

  it('has the lines of a thousand requirements without a search for each of them', () => {
    const count = 1000;
    const requires = Array.from({ length: count }, (_, at) => `p${at}==1`);
    const text = `[build-system]\nrequires = [\n${requires.map((one) => `"${one}",\n`).join('')}]\n`;
    const searches = vi.spyOn(String.prototype, 'includes');

    const { dependencies } = read('pyproject.toml', text);
    const searched = searches.mock.calls.length;
    searches.mockRestore();

    expect(dependencies.at(-1)).toMatchObject({ name: 'p999', line: count + 2 });
    expect(searched).toBeLessThan(10 * count);
  });

  it('is missing until a whole list of build requirements has all of it', () => {
    const project = { 'app/pyproject.toml': buildOf('Flit_Core>=3', 'setuptools') };
    const explain = (files: Readonly<Record<string, string>>) =>
      settle({ ...project, ...files })['app/pyproject.toml']?.incomplete;

    expect(explain({})).toMatch(
      /^Its build requires Flit_Core>=3, setuptools, and no checked list has these/,
    );
    expect(explain({ 'app/build-requirements.txt': hashed('flit-core==3.9.0') })).toMatch(
      /^Its build requires setuptools, and no checked list has these/,
    );
    const whole = hashed('flit-core==3.9.0', 'setuptools==80.9.0');
    expect(explain({ 'app/build-requirements.txt': whole })).toBeUndefined();
    expect(explain({ 'build-requirements.txt': whole })).toBeUndefined();
    const parts = [hashed('flit-core==3.9.0'), hashed('setuptools==80.9.0')] as const;
    for (const [above, beside] of [parts, parts.toReversed()]) {
      const both = { 'build-requirements.txt': above, 'app/build-requirements.txt': beside };
      expect(explain(both)).toBeUndefined();
    }
    expect(explain({ 'app/sub/build-requirements.txt': whole })).toContain('Flit_Core>=3');
    expect(
      explain({ 'build-requirements.txt': 'flit-core==3.9.0\nsetuptools==80.9.0\n' }),
    ).toContain('Flit_Core>=3');
  });

  it('has what Hatchling asks for by itself when it runs', () => {
    expect(read('pyproject.toml', buildOf('hatchling>=1.20')).builds?.requires).toEqual([
      ...['hatchling>=1.20', 'editables'],
    ]);
  });

  it('is read of the constraints in the lockfile of uv, where they pin it', () => {
    expect(readExample('uv-0.13/built/uv.lock').dependencies).toMatchObject([
      ...[{ name: 'click' }, { name: 'colorama' }, { name: 'docopt' }],
      { name: 'setuptools', version: '80.9.0' },
    ]);
  });
});

describe('what a project asks for', () => {
  it.each([
    ['[project]\ndependencies = ["a"]\n'],
    ['[project.optional-dependencies]\nx = ["a"]\n'],
    ['[dependency-groups]\ndev = ["a"]\n'],
    ['[tool.poetry.dependencies]\npython = "^3.11"\na = "1"\n'],
    ['[tool.poetry.group.dev.dependencies]\na = "1"\n'],
    ['[tool.uv]\ndev-dependencies = ["a"]\n'],
    ['[tool.pdm.dev-dependencies]\ndev = ["a"]\n'],
    [
      '[project]\ndynamic = ["version", "dependencies"]\n[tool.setuptools.dynamic]\ndependencies = {file = ["a.txt"]}\n',
    ],
    ['[project]\ndynamic = ["optional-dependencies"]\n'],
    ['[tool.hatch.envs.test]\ndependencies = ["a"]\n'],
    ['[tool.hatch.envs.test]\nextra-dependencies = ["a"]\n'],
    ['[tool.flit.metadata]\nrequires = ["a"]\n'],
  ])('is missing without a lockfile beside or above it: %j', (text) => {
    const explain = (files: Readonly<Record<string, string>>) =>
      settle({ 'app/pyproject.toml': text, ...files })['app/pyproject.toml']?.incomplete;
    const uv = 'version = 1\n';

    expect(explain({})).toMatch(/^There is no lockfile beside or above it/);
    expect(explain({ 'other/uv.lock': uv })).toMatch(/^There is no lockfile/);
    expect(explain({ 'app/build-requirements.txt': hashed('x==1') })).toMatch(
      /^There is no lockfile/,
    );
    expect(explain({ 'app/uv.lock': uv })).toBeUndefined();
    expect(explain({ 'uv.lock': uv })).toBeUndefined();
  });

  it.each([
    ['[tool.poetry.dependencies]\npython = "^3.11"\n'],
    ['[project]\nname = "a"\n'],
    ['[project]\ndynamic = ["version"]\n[tool.hatch.envs.test]\npython = "3.13"\n'],
  ])('is nothing: %j', (text) => {
    expect(read('pyproject.toml', text).incomplete).toBeUndefined();
  });
});
