import { expect, it } from 'vitest';
import { exampleText, readExample } from './example.ts';

/** Whatever a file has, it is counted: as a dependency, as an entry that pins nothing, or as the project's own. */
const countRead = (path: string): number => {
  const { dependencies, unpinned } = readExample(path);
  return dependencies.length + unpinned.filter(({ reason }) => reason !== 'no_version').length;
};

const countMatches = (path: string, pattern: RegExp): number =>
  new Set([...exampleText(path).matchAll(pattern)].map(([, first]) => first)).size;

it.each(['npm-8', 'npm-10', 'npm-12'])(
  'counts in %s the folders of packages, and the one that is linked from elsewhere',
  (folder) => {
    const path = `${folder}/package-lock.json`;
    const [packages = ''] = exampleText(path).split('\n  "dependencies": {');
    const folders = packages.match(/^ {4}"(?:.*\/)?node_modules\//gm) ?? [];
    const links = packages.match(/"link": true/g) ?? [];

    expect(folders.length).toBeGreaterThan(10);
    expect(countRead(path)).toBe(folders.length - links.length + 1);
  },
);

it('counts in npm-6 each version', () => {
  const path = 'npm-6/package-lock.json';
  const [, ...versions] = exampleText(path).match(/^ *"version": /gm) ?? [];

  expect(countRead(path)).toBe(versions.length);
});

it.each(['pnpm-5', 'pnpm-6', 'pnpm-7', 'pnpm-8', 'pnpm-9', 'pnpm-12'])(
  'counts in %s each resolution, and the folders that are linked',
  (folder) => {
    const path = `${folder}/pnpm-lock.yaml`;
    const resolutions = exampleText(path).match(/^ {4}resolution:/gm) ?? [];
    const linked = countMatches(path, /: (link:local)$/gm);

    expect(resolutions.length).toBeGreaterThan(9);
    expect(countRead(path)).toBe(resolutions.length + linked);
  },
);

it('counts in yarn-1 each version', () => {
  const path = 'yarn-1/yarn.lock';

  expect(countRead(path)).toBe(exampleText(path).match(/^ {2}version /gm)?.length);
});

it.each(['yarn-2', 'yarn-3', 'yarn-4'])(
  'counts in %s each resolution but those of the workspace, and what is patched once',
  (folder) => {
    const path = `${folder}/yarn.lock`;
    const resolutions = exampleText(path).match(/^ {2}resolution: .*$/gm) ?? [];
    const others = resolutions.filter((one) => !/@(?:workspace|patch):/.test(one));

    expect(others.length).toBeGreaterThan(10);
    expect(countRead(path)).toBe(others.length);
  },
);

it('counts in bun-1.4 each line of a package but those of the workspace', () => {
  const path = 'bun-1.4/bun.lock';
  const lines = exampleText(path).match(/^ {4}".*": \[".*$/gm) ?? [];
  const others = lines.filter((line) => !line.includes('@workspace:'));

  expect(others.length).toBeGreaterThan(10);
  expect(countRead(path)).toBe(others.length);
});

it.each([
  ['poetry-1.1/poetry.lock', /^\[\[package\]\]\nname = "(.*)"/gm],
  ['poetry-1.8/poetry.lock', /^\[\[package\]\]\nname = "(.*)"/gm],
  ['poetry-2.5/poetry.lock', /^\[\[package\]\]\nname = "(.*)"/gm],
  // Once more for its extra.
  ['pdm-2.24/pdm.lock', /^\[\[package\]\]\nname = "(.*)"\n(?!.*\nextras)/gm],
  ['uv-0.13/uv.lock', /^\[\[package\]\]\nname = "((?!shop).*)"/gm],
  ['uv-0.13/pylock.toml', /^\[\[packages\]\]\nname = "(.*)"/gm],
  ['pip-26/pylock.toml', /^\[\[packages\]\]\nname = "(.*)"/gm],
  ['pipenv-2026/Pipfile.lock', /^ {8}"(?!hash|pipfile-spec|requires|sources)(.*)": \{/gm],
  ['pip-tools-7/requirements.txt', /^([a-z]+)(?:==| @ )/gm],
  ['uv-0.13/requirements.txt', /^([a-z]+(?===| @ )|-e|\.\/)/gm],
  [
    'maven-dependency-2.8/dependency-list.txt',
    /^\[INFO\] {4}((?!com\.example)[^:\s]+:[^:]+:jar).*:/gm,
  ],
  ['maven-dependency-3.6/dependency-tree.txt', /[+\\]- ((?!com\.example)[a-z0-9.]+:[^:]+:jar):/gm],
])('counts in %s each entry', (path, pattern) => {
  const count = countMatches(path, pattern);

  expect(count).toBeGreaterThan(3);
  expect(countRead(path)).toBe(count);
});

it.each(['npm-10.cdx', 'npm-12.spdx', 'cyclonedx-maven-2.7.cdx'])(
  'counts in bills/%s each package URL but those of the project',
  (name) => {
    const path = `bills/${name}.json`;
    const { own } = readExample(path);
    const count = countMatches(path, /"(pkg:[^"]+)"/g);

    // A bill has a package URL of the project, too.
    expect(countRead(path)).toBe(count - own.length);
  },
);
