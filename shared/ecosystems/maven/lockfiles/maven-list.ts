import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { cutBefore } from '../../lockfiles/syntax/text-before.ts';

/** `group:artifact:type[:classifier]:version:scope`. */
const resolved =
  /^([^\s:()]+:[^\s:()]+):[^\s:]+:(?:[^\s:]+:)?([^\s:]+):(compile|provided|runtime|test|system|import)\b/;
/** Matches the root module of a tree, which has no scope. */
const root = /^([^\s:()]+:[^\s:()]+):[^\s:]+:(?:[^\s:]+:)?[^\s:]+$/;
const heading = /^-+< ([^\s:>]+:[^\s:>]+) >-+$/;
const branch = /^((?:[| ] {2})*)[+\\]- /;
const printed =
  /The following files have been resolved:|^(?:\[INFO\] )?[+\\]- [^\s:]+:[^\s:]+:\S+$|dependency(?:-plugin)?:[^\s:]+:(?:list|tree)\b/m;

/** Returns a line of Maven's output without colours and log level. */
const bare = (line: string): string =>
  line
    .replace(/\p{Cc}\[[\d;]*m/gu, '')
    .replace(/^\[INFO\] /, '')
    .trimEnd();

const listOwn = (lines: readonly string[]): Set<string> =>
  new Set(lines.flatMap((line) => (heading.exec(line) ?? root.exec(line))?.[1] ?? []));

const readLines = (lines: readonly string[], own: ReadonlySet<string>): Found[] => {
  const found: Found[] = [];
  /** Packages from the root of the tree to the previous line. */
  const path: string[] = [];
  for (const [at, line] of lines.entries()) {
    const [prefix, indent] = branch.exec(line) ?? [];
    const text = line.slice(prefix?.length ?? 0).trim();
    const [, name, version, scope] = resolved.exec(text) ?? [];
    if (name === undefined || version === undefined) continue;
    const depth = indent === undefined ? undefined : indent.length / 3;
    const through =
      depth === undefined
        ? undefined
        : path.slice(0, depth).filter((one) => !own.has(cutBefore(one, '@')));
    if (depth !== undefined) path.splice(depth, path.length, `${name}@${version}`);
    if (own.has(name)) continue;
    if (scope === 'system') found.push({ text, reason: 'file', line: at + 1 });
    else found.push({ ecosystem: 'maven', name, version, line: at + 1, through });
  }
  return found;
};

const read = (text: string): Contents => {
  if (!printed.test(text) || /BUILD FAILURE/.test(text)) {
    const fault = printed.test(text)
      ? 'Maven failed, so that it does not list everything.'
      : 'It is not what mvn dependency:list or dependency:tree prints.';
    throw new UnreadableDependencyFileError(`${fault} Write it with mvn -B dependency:tree`);
  }
  const lines = text.split('\n').map(bare);
  const own = listOwn(lines);
  return gather(readLines(lines, own), own);
};

/** Reads the output of `mvn dependency:list` and `mvn dependency:tree`. Only the tree shows dependency chains. */
export const mavenList: FormatReader = {
  format: 'maven-list',
  named: /(?:^|\/)(?:mvn-|maven-)?dependency-(?:list|tree)\.txt$/,
  recognises: (text) => printed.test(text),
  read,
};
