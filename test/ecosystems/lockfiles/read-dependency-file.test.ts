import { describe, expect, it } from 'vitest';
import {
  UnreadableDependencyFileError,
  unpinnedReasons,
} from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import {
  findDependencyFormat,
  readDependencyFile,
} from '../../../shared/ecosystems/parse-dependency-file.ts';
import { exampleText, listDependencies, read } from './example.ts';

it.each([
  ['package-lock.json', 'package-lock.json'],
  ['a/npm-shrinkwrap.json', 'package-lock.json'],
  ['a\\b\\pnpm-lock.yaml', 'pnpm-lock.yaml'],
  ['yarn.lock', 'yarn.lock'],
  ['bun.lock', 'bun.lock'],
  ['requirements.txt', 'requirements.txt'],
  ['requirements-dev.txt', 'requirements.txt'],
  ['dev-requirements.txt', 'requirements.txt'],
  ['requirements/base.txt', 'requirements.txt'],
  ['constraints.txt', 'requirements.txt'],
  ['poetry.lock', 'poetry.lock'],
  ['uv.lock', 'uv.lock'],
  ['Pipfile.lock', 'Pipfile.lock'],
  ['pylock.toml', 'pylock.toml'],
  ['pylock.dev.toml', 'pylock.toml'],
  ['pom.xml', 'pom.xml'],
  ['gradle/dependency-locks/compileClasspath.lockfile', 'gradle.lockfile'],
  ['Dockerfile', 'Dockerfile'],
  ['Dockerfile.prod', 'Dockerfile'],
  ['Containerfile', 'Dockerfile'],
  ['web.Dockerfile', 'Dockerfile'],
  ['compose.yaml', 'compose.yaml'],
  ['docker-compose.yml', 'compose.yaml'],
  ['docker-compose.prod.yml', 'compose.yaml'],
  ['bom.json', 'cyclonedx'],
  ['shop.cdx.json', 'cyclonedx'],
  ['shop.spdx.json', 'spdx'],
  ['package.json', undefined],
  ['my-package-lock.json', undefined],
  ['Dockerfile.dockerignore', undefined],
  ['requirements.in', undefined],
  ['composer.yaml', undefined],
  ['', undefined],
])('tells by the name %j the format %s', (path, format) => {
  expect(findDependencyFormat(path)).toBe(format);
});

describe('a file of another name', () => {
  it.each([
    ['report.json', 'bills/npm-10.cdx.json', 'cyclonedx'],
    ['bom.json', 'bills/npm-12.spdx.json', 'spdx'],
    ['out.txt', 'maven-dependency-2.8/dependency-list.txt', 'maven-list'],
    ['out.txt', 'maven-dependency-3.6/dependency-tree.txt', 'maven-list'],
  ])('is told by its content: %s of %s', (path, example, format) => {
    expect(read(path, exampleText(example)).format).toBe(format);
  });

  it('is what it is said to be', () => {
    const file = readDependencyFile('lock', exampleText('yarn-1/yarn.lock'), 'yarn.lock');

    expect(file.dependencies.length).toBeGreaterThan(10);
  });

  it('is refused if nothing tells of it', () => {
    expect(() => read('a.txt', 'hello')).toThrow(
      /Name the format, which is one of package-lock\.json, /,
    );
  });
});

it.each([
  ['npm-12/package-lock.json'],
  ['pnpm-9/pnpm-lock.yaml'],
  ['yarn-1/yarn.lock'],
  ['yarn-4/yarn.lock'],
  ['bun-1.4/bun.lock'],
  ['poetry-2.5/poetry.lock'],
  ['uv-0.13/uv.lock'],
  ['pip-tools-7/requirements.txt'],
  ['maven-dependency-3.6/dependency-tree.txt'],
])('reads %s with a mark of its encoding and line ends of Windows as without', (path) => {
  const text = exampleText(path);

  expect(read(path, `\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(read(path, text));
});

it.each([
  ['package-lock.json', '{"lockfileVersion": 3,', 'line 1'],
  ['package-lock.json', '', 'value expected in line 1'],
  ['package-lock.json', '{}', 'no lockfileVersion'],
  ['package-lock.json', '{"lockfileVersion": 4, "packages": {}}', '1, 2 and 3 are read'],
  ['package-lock.json', '{"lockfileVersion": 3, "packages": {},}', 'no valid JSON'],
  ['pnpm-lock.yaml', 'lockfileVersion: 3\n', '5 to 9 are read'],
  ['pnpm-lock.yaml', 'a: [\n', 'no valid YAML'],
  ['pnpm-lock.yaml', '', 'empty'],
  ['yarn.lock', 'what\n', 'line 1'],
  ['yarn.lock', '__metadata:\n  cacheKey: 8\n', 'no version'],
  ['bun.lock', '{"lockfileVersion": 9}', '0 to 2 are read'],
  ['poetry.lock', 'a = 1\n', 'poetry lock'],
  ['poetry.lock', 'a = \n', 'no valid TOML'],
  ['uv.lock', 'version = 2\n', '1 is read'],
  ['pylock.toml', 'lock-version = "2.0"\n', '1.0 is read'],
  ['Pipfile.lock', '{}', 'pipenv lock'],
  ['pdm.lock', 'a = 1\n', 'pdm lock'],
  ['pdm.lock', '[metadata]\nlock_version = "99.0"\n', 'up to 4.5 is read'],
  ['pdm.lock', 'lock-version = "1.0"\n[metadata]\nlock_version = "4.5.0"\n', 'pylock.toml'],
  ['pdm.lock', 'packages = []\n[metadata]\nlock_version = "4.5.0"\n', 'pylock.toml'],
  ['pyproject.toml', 'a = \n', 'no valid TOML'],
  ['pom.xml', '<project>', 'no valid POM'],
  ['pom.xml', '<a/>', 'no project element'],
  ['gradle.lockfile', 'what\n', 'no line names'],
  ['dependency-list.txt', 'what', 'mvn -B dependency:tree'],
  ['dependency-list.txt', '[INFO] --- dependency:3.6.0:list\n[INFO] BUILD FAILURE', 'failed'],
  ['Dockerfile', 'what', 'no FROM'],
  ['compose.yaml', 'a: b', 'no services'],
  ['a.cdx.json', '{}', 'no CycloneDX'],
  ['a.spdx.json', '{}', 'no SPDX'],
])('refuses %s %j and says why', (path, text, reason) => {
  expect(() => read(path, text)).toThrow(UnreadableDependencyFileError);
  expect(() => read(path, text)).toThrow(reason);
});

it('names the line in which a merge left two versions', () => {
  const text = '{\n<<<<<<< ours\n"a": 1\n=======\n"a": 2\n>>>>>>> theirs\n}';

  expect(() => read('package-lock.json', text)).toThrow('a merge conflict in line 2');
});

it('has a sentence for each reason', () => {
  for (const sentence of Object.values(unpinnedReasons)) expect(sentence).toMatch(/^[a-z].*[a-z]$/);
});

it('counts each version once, with the shortest way to it and its first line', () => {
  const text = JSON.stringify(
    {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { a: '1', c: '1' } },
        'node_modules/a': { version: '1.0.0', dependencies: { b: '1', c: '2' } },
        'node_modules/a/node_modules/c': { version: '1.0.0' },
        'node_modules/b': { version: '1.0.0' },
        'node_modules/c': { version: '1.0.0', license: 'MIT' },
      },
    },
    undefined,
    1,
  );

  const file = read('package-lock.json', text);

  expect(listDependencies(file)).toEqual(['a@1.0.0', 'b@1.0.0 < a@1.0.0', 'c@1.0.0']);
  expect(file.dependencies[1]).toMatchObject({ name: 'c', license: 'MIT', line: 17 });
});

it('reads both documents of the lockfile of pnpm 11: also what pnpm is set up with', () => {
  const setUp =
    "---\nlockfileVersion: '9.0'\nimporters:\n  .:\n    packageManagerDependencies:\n      pnpm: { specifier: 11.0.0, version: 11.0.0 }\npackages:\n  pnpm@11.0.0:\n    resolution: {integrity: sha512-a}\nsnapshots:\n  pnpm@11.0.0: {}\n---\n";
  const { dependencies } = read('pnpm-lock.yaml', setUp + exampleText('pnpm-9/pnpm-lock.yaml'));

  expect(dependencies[0]).toMatchObject({ name: 'pnpm', version: '11.0.0', through: [] });
  expect(dependencies.length).toBeGreaterThan(10);
});
