import { describe, expect, it } from 'vitest';
import { UnreadableDependencyFileError } from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import { read } from './example.ts';

describe.each([
  ['package-lock.json', '{"a":', '}'],
  ['package-lock.json', '[', ']'],
  ['bun.lock', '{"a":', '}'],
  ['bom.json', '{"bomFormat": "CycloneDX", "components": [', ']}'],
  ['pnpm-lock.yaml', '[', ']'],
  ['pnpm-lock.yaml', '{a: ', '}'],
  ['compose.yaml', '{a: ', '}'],
  ['uv.lock', 'a = [', ']'],
  ['pom.xml', '<project>', '</project>'],
])('%s that nests %j', (path, opening, closing) => {
  it.each([1, 100_000])('without end, %i times closed, is refused', (times) => {
    const text = opening.repeat(100_000) + closing.repeat(times);

    expect(() => read(path, text)).toThrow(UnreadableDependencyFileError);
  });
});

it('refuses folders of packages that nest deeper than any machine has them', () => {
  const key = Array(200).fill('node_modules/a').join('/');
  const text = JSON.stringify({ lockfileVersion: 3, packages: { [key]: { version: '1.0.0' } } });

  expect(() => read('package-lock.json', text)).toThrow(/nest deeper than 100/);
});

it.each([
  [
    'package-lock.json',
    '{"lockfileVersion":3,"packages":{"node_modules/__proto__":{"version":"1.0.0","dependencies":{"__proto__":"1","constructor":"1"}},"__proto__":{"polluted":"1"}}}',
  ],
  [
    'package-lock.json',
    '{"lockfileVersion":1,"dependencies":{"__proto__":{"version":"1.0.0","requires":{"toString":"1"}},"constructor":{"version":"1.0.0"}}}',
  ],
  [
    'pnpm-lock.yaml',
    "lockfileVersion: '9.0'\n__proto__: { polluted: 1 }\npackages:\n  constructor@1.0.0: { resolution: { __proto__: { tarball: x } } }\n",
  ],
  ['yarn.lock', '__proto__@1:\n  version "1.0.0"\n  __proto__ "x"\n'],
  ['Pipfile.lock', '{"_meta":{},"__proto__":{"polluted":{"version":"==1"}}}'],
  [
    'poetry.lock',
    '[metadata]\n[[package]]\nname = "a"\nversion = "1"\n[package.__proto__]\npolluted = 1\n',
  ],
  [
    'bom.json',
    '{"bomFormat":"CycloneDX","specVersion":"1.5","components":[{"__proto__":{"purl":"pkg:npm/a@1.0.0"}}]}',
  ],
])('takes names that mean something to JavaScript for names: %s %s', (path, text) => {
  read(path, text);

  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it('does not unfold aliases that multiply each other', () => {
  const lines = ['a0: &a0 { image: redis:7 }'];
  for (let at = 1; at < 60; at += 1) {
    const aliases = Array(9)
      .fill(`*a${at - 1}`)
      .join(', ');
    lines.push(`a${at}: &a${at} { <<: [${aliases}] }`);
  }
  const text = `${lines.join('\n')}\nservices:\n  a: *a59\n  b: { <<: *a59 }\n`;

  expect(read('compose.yaml', text).dependencies).toMatchObject([{ name: 'redis', version: '7' }]);
});

it('does not unfold entities that multiply each other', () => {
  const entities = Array.from(
    { length: 30 },
    (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
  );
  const text = `<?xml version="1.0"?><!DOCTYPE project [<!ENTITY e0 "x">${entities.join('')}]><project><modelVersion>4.0.0</modelVersion><version>&e30;</version></project>`;

  try {
    read('pom.xml', text);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableDependencyFileError);
  }
});

it.each([
  ['yarn.lock', '"\\"'.repeat(100_000)],
  ['yarn.lock', `a@1:\n  version ${'"\\"'.repeat(100_000)}\n`],
  ['Dockerfile', `FROM ${'$'.repeat(100_000)}`],
  ['Dockerfile', `FROM ${'${A:-'.repeat(50_000)}`],
  ['requirements.txt', `a${' '.repeat(100_000)}b`],
  ['requirements.txt', `${'a-'.repeat(100_000)}!`],
  ['requirements.txt', `a==1${' '.repeat(100_000)}\\\n`],
  ['dependency-list.txt', `dependency:3.6.0:list\n${'|  '.repeat(100_000)}`],
  ['dependency-list.txt', `dependency:3.6.0:list\n${'a:'.repeat(100_000)}`],
  ['gradle.lockfile', `g:a:1\n${'a:'.repeat(100_000)}`],
  [
    'package-lock.json',
    JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { workspaces: ['a/*'] },
        [`${'a'.repeat(500_000)}/`]: {},
        'node_modules/a': {
          version: `1.0.0${'+'.repeat(500_000)}\n`,
          resolved: `https://registry.example.com/a/-/a${'-1.0.0'.repeat(100_000)}`,
        },
      },
    }),
  ],
  [
    'yarn.lock',
    `__metadata:\n  version: 8\n"a@npm:1${'::'.repeat(200_000)}\\n":\n  resolution: "a@npm:1${'::'.repeat(200_000)}\\n"\n`,
  ],
  [
    'pnpm-lock.yaml',
    `lockfileVersion: '9.0'\npackages:\n  "a@1.0.0${'('.repeat(100_000)}\\n": {}\n`,
  ],
  ['requirements.txt', `${' #'.repeat(200_000)}\u2028`],
  ['bom.json', `{"bomFormat": "CycloneDX"${' '.repeat(500_000)}`],
  ['a.xml', `<?xml ${'<bom '.repeat(100_000)}`],
])('ends on a long line of %s', (path, text) => {
  try {
    read(path, text);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableDependencyFileError);
  }
});

it('shows no control characters of what it read', () => {
  const file = read('requirements.txt', 'a\u001b[31m>=1\nb @ file:///\u0007b\n');

  expect(file.unpinned).toHaveLength(2);
  expect(JSON.stringify(file)).not.toMatch(/\\u00/);
});

it.each([
  ['a @ git+https://token@git.example.com/a.git', 'a @ git+https://git.example.com/a.git'],
  ['a @ https://user:secret@files.example.com/a.zip', 'a @ https://files.example.com/a.zip'],
  ['a @ git+ssh://git:secret@git.example.com/a.git', 'a @ git+ssh://git@git.example.com/a.git'],
])('shows no passwords: %s', (line, shown) => {
  expect(read('requirements.txt', line).unpinned).toMatchObject([{ text: shown }]);
});
