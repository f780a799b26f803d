import { describe, expect, it } from 'vitest';
import { decodeDependencyFile } from '../../../shared/ecosystems/lockfiles/decode.ts';
import {
  type DependencyFile,
  UnreadableDependencyFileError,
} from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import { readDependencyFile } from '../../../shared/ecosystems/parse-dependency-file.ts';
import { exampleText } from './example.ts';

interface Case {
  readonly what: string;
  readonly text: string;
  readonly encoding?: 'latin1';
  /** What the real tool installs out of it: `name@version`, or as it writes what names no version. */
  readonly installs: readonly string[];
  /** What a check makes of it: the same, more than that, an entry without a version, or nothing as it refuses the file. */
  readonly check: 'same' | 'more' | 'unpinned' | 'refused';
}

interface Group {
  readonly file: string;
  /** The tool that said so, and its version. */
  readonly source: string;
  readonly cases: readonly Case[];
}

const groups: readonly Group[] = JSON.parse(exampleText('real-readers.json'));

const readOrRefuse = (file: string, { text, encoding }: Case) => {
  try {
    const bytes = Buffer.from(text, encoding ?? 'utf8');
    return readDependencyFile(file, decodeDependencyFile(bytes));
  } catch (error) {
    if (error instanceof UnreadableDependencyFileError) return undefined;
    throw error;
  }
};

const isVersion = (text: string): boolean => !/^-| from /.test(text);

const listPinned = ({ dependencies }: DependencyFile): string[] =>
  dependencies.map(({ name, version }) => `${name}@${version}`).toSorted();

describe.each(groups)('$file, as $source reads it:', ({ file, cases }) => {
  it.each(cases)('lists at least what is installed of $what ($check)', (one) => {
    const read = readOrRefuse(file, one);
    const pinned = one.installs.filter(isVersion).toSorted();

    if (one.check === 'refused') expect(read).toBeUndefined();
    else if (!read) expect.unreachable('It was refused.');
    else if (one.check === 'unpinned') expect(read.unpinned.length).toBe(one.installs.length);
    else if (one.check === 'more') {
      expect(listPinned(read)).toEqual(expect.arrayContaining(pinned));
    } else {
      expect(listPinned(read)).toEqual(pinned);
      expect(read.unpinned.length).toBe(one.installs.length - pinned.length);
    }
  });
});

describe('an encoding', () => {
  const requirements = 'good==1.0\n';
  const decode = (bytes: Uint8Array): string => decodeDependencyFile(bytes);

  it('is told by its byte order mark, as PowerShell writes UTF-16', () => {
    const bytes = Buffer.from(`\ufeff${requirements}`, 'utf16le');

    expect(decode(bytes)).toBe(requirements);
    expect(decode(bytes.swap16())).toBe(requirements);
    expect(decode(Buffer.from(`\ufeff${requirements}`))).toBe(requirements);
  });

  it.each([
    ['a byte that UTF-8 has not', [0x23, 0x85, 0x61]],
    ['UTF-32', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]],
    ['half a character of UTF-16', [0xff, 0xfe, 0x61]],
  ])('that is none of these is refused: %s', (_, bytes) => {
    expect(() => decode(Uint8Array.from(bytes))).toThrow('It is no text in UTF-8.');
  });

  it('in which markup is text to Maven is refused', () => {
    const text = `<?xml version="1.0" encoding="ISO-2022-JP"?><project><modelVersion>4.0.0</modelVersion></project>`;

    expect(() => readDependencyFile('pom.xml', text)).toThrow(UnreadableDependencyFileError);
  });
});
