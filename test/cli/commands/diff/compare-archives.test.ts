import { describe, expect, it } from 'vitest';
import type { Archive } from '../../../../cli/commands/diff/archives/archive.ts';
import {
  compareArchives,
  type FileChange,
} from '../../../../cli/commands/diff/files/compare-archives.ts';

type Files = Readonly<Record<string, string | Buffer>>;

const makeArchive = (files: Files, executable: readonly string[] = []): Archive => ({
  files: new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      { content: Buffer.from(content), isExecutable: executable.includes(path) },
    ]),
  ),
  refused: [],
});

const compare = (before: Files, after: Files) =>
  compareArchives(makeArchive(before), makeArchive(after));

const diffOne = (before: string | Buffer, after: string | Buffer): FileChange | undefined =>
  compare({ 'a.js': before }, { 'a.js': after }).changes[0];

const number = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join('');

describe('the comparison of two archives', () => {
  it('shows changed lines with three lines around them', () => {
    const change = diffOne(number(0, 20), number(0, 20).replace('line 9\n', 'line nine\nmore\n'));

    expect(change).toMatchObject({ path: 'a.js', change: 'changed', content: 'text' });
    expect(change?.diff?.split('\n')).toEqual([
      '@@ -7,7 +7,8 @@',
      ...[' line 6', ' line 7', ' line 8'],
      ...['-line 9', '+line nine', '+more'],
      ...[' line 10', ' line 11', ' line 12'],
    ]);
  });

  it('shows the content of an added file, and no content of a removed one', () => {
    const { changes } = compare({ 'old.js': 'x\n' }, { 'new.js': 'a\nb\n' });

    expect(changes).toMatchObject([
      { path: 'new.js', change: 'added', before: null, diff: '@@ -0,0 +1,2 @@\n+a\n+b' },
      { path: 'old.js', change: 'removed', after: null, diff: null },
    ]);
  });

  it('counts unchanged files, and finds a changed executable bit', () => {
    const files = { 'a.sh': 'x', 'b.sh': 'y' };

    const found = compareArchives(makeArchive(files), makeArchive(files, ['a.sh']));

    expect(found.unchanged).toBe(1);
    expect(found.changes).toMatchObject([
      {
        ...{ path: 'a.sh', change: 'mode', diff: null },
        ...{ before: { executable: false }, after: { executable: true } },
      },
    ]);
  });

  it.each<[string, string | Buffer, string | Buffer, string]>([
    ['with NUL', 'a', 'a\0b', 'binary'],
    ['that is no UTF-8', 'a', Buffer.from([0xff, 0xfe, 0x61]), 'binary'],
    ['of one long line', 'a', `${'x'.repeat(700)};`, 'minified'],
    ['that was minified', `${'x'.repeat(700)};`, 'a', 'minified'],
    ['above 1 MB', 'a', 'text of a line\n'.repeat(80_000), 'large'],
    ['above 20,000 lines', 'a', '\n'.repeat(20_001), 'large'],
  ])('names a file %s, by its sizes and digests', (_what, before, after, content) => {
    expect(diffOne(before, after)).toMatchObject({
      ...{ change: 'changed', content, diff: null },
      before: { size: Buffer.byteLength(before), sha256: expect.stringMatching(/^[\da-f]{64}$/) },
      after: { size: Buffer.byteLength(after), sha256: expect.stringMatching(/^[\da-f]{64}$/) },
    });
  });

  it('shows a source file with one long line, with its start and its end', () => {
    const source = number(0, 1_500);
    const hidden = `x();${' '.repeat(5_000)}evil();`;

    const { diff } = diffOne(source, `${source}${hidden}\n`) ?? {};

    expect(diff).toMatch(/^\+x\(\); +<2812 characters> +evil\(\);$/m);
  });

  it('shows hidden characters by their code points', () => {
    const added = `a\u202eb\u200bc\u001b[31md\u{e0100}e\u3164f\u00a0g\ufefft\tz\r`;

    const { diff } = diffOne('', `${added}\n`) ?? {};

    expect(diff).toContain(
      '+a<U+202E>b<U+200B>c<U+001B>[31md<U+E0100>e<U+3164>f<U+00A0>g<U+FEFF>t\tz<U+000D>',
    );
  });

  it('shows two texts that have little in common, between their equal ends', () => {
    const [start, end] = ['first\n', 'last\n'];
    const before = `${start}${number(0, 900)}${end}`;
    const after = `${start}${number(5_000, 5_400)}${end}`;

    const { diff = '' } = diffOne(before, after) ?? {};

    const lines = diff?.split('\n') ?? [];
    expect(lines.slice(0, 2)).toEqual(['@@ -2,900 +2,400 @@', '-line 0']);
    expect(diffOne(before, after)?.omitted_lines).toBe(1_301 - 1_000);
  });

  it('cannot be kept busy by texts whose lines are all alike', () => {
    const before = '\n'.repeat(19_000);
    const after = 'a\n\n'.repeat(9_000);

    expect(diffOne(before, after)?.diff).toContain('@@');
  });
});

describe('files that run at installation', () => {
  it('are first, with those that an install script names', () => {
    const manifest = { scripts: { postinstall: 'node -e "require(\'./lib/setup\')" && sh z.sh' } };
    const files = {
      'a.js': '1',
      'lib/setup.js': '1',
      'package.json': JSON.stringify(manifest),
      'z.sh': '1',
    };
    const changed = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, `${text}\n`]),
    );

    const { changes } = compare(files, changed);

    expect(changes.map(({ path, runs_at_install }) => [path, runs_at_install])).toEqual([
      ['lib/setup.js', true],
      ['package.json', true],
      ['z.sh', true],
      ['a.js', false],
    ]);
  });

  it.each([
    'setup.py',
    'binding.gyp',
    'evil.pth',
    'pkg.data/scripts/run',
    'pkg.dist-info/entry_points.txt',
  ])('include %s', (path) => {
    expect(compare({}, { [path]: 'x', 'sub/setup.py': 'x' }).changes).toMatchObject([
      { path, runs_at_install: true },
      { path: 'sub/setup.py', runs_at_install: false },
    ]);
  });

  it('are shown, even if they are minified', () => {
    const before = '{"scripts":{}}';
    const after = `{"scripts":{"postinstall":"node x"},"about":"${'x'.repeat(1_500)}"}`;

    const { changes } = compare({ 'package.json': before }, { 'package.json': after });

    expect(changes).toMatchObject([{ content: 'text' }]);
    expect(changes[0]?.diff).toContain('+{"scripts":{"postinstall":"node x"}');
  });

  it('are found in a package.json that is no JSON', () => {
    expect(compare({}, { 'package.json': '{' }).changes).toMatchObject([{ runs_at_install: true }]);
  });
});

it('shows code before documentation', () => {
  const { changes } = compare(
    {},
    { 'README.md': 'x', 'a.d.ts': 'x', 'z.ts': 'x', 'setup.py': 'x' },
  );

  expect(changes.map(({ path }) => path)).toEqual(['setup.py', 'z.ts', 'README.md', 'a.d.ts']);
});

describe('the limits of the output', () => {
  const bounds = { linesPerFile: 5, lines: 8, changes: 4, refused: 1 };
  const makeFiles = (count: number): Files =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, number(0, 10)]));

  it('leave lines and files out, and count them', () => {
    const found = compareArchives(makeArchive({}), makeArchive(makeFiles(6)), bounds);

    expect(found.changes.map(({ diff }) => diff?.split('\n').length ?? null)).toEqual([
      5,
      3,
      null,
      null,
    ]);
    expect(found.changes.map(({ omitted_lines }) => omitted_lines)).toEqual([6, 8, 0, 0]);
    expect(found).toMatchObject({ omitted_changes: 2, omitted_diffs: 2 });
  });

  it('leave refused entries out, and count them', () => {
    const refused = [
      { path: '../a', reason: 'x' },
      { path: '../b', reason: 'x' },
    ];

    const found = compareArchives(makeArchive({}), { ...makeArchive({}), refused }, bounds);

    expect(found.refused).toEqual([{ archive: 'after', path: '../a', reason: 'x' }]);
    expect(found.omitted_refused).toBe(1);
  });
});
