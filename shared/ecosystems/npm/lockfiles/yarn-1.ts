import { groupBy } from '../../../util/group-by.ts';
import { parseJson } from '../../../util/json.ts';
import { type GraphNode, listUnneeded, prepareChains } from '../../lockfiles/chains.ts';
import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { cutAfter, cutBefore } from '../../lockfiles/syntax/text-before.ts';
import { judgeOrigin, readAlias, splitIntegrity, splitLocator } from './specs.ts';

/** One version with all patterns that request it: `lodash@^4.17.0, lodash@4`. */
interface Entry {
  readonly patterns: readonly string[];
  readonly line: number;
  readonly fields: Map<string, string>;
  /** Dependencies, also as patterns. */
  readonly needs: string[];
}

/** A token of a line. An unclosed quote also makes a token, so that the search takes linear time. */
const token = /"(?:[^"\\]|\\.)*(?:"|$)|[^\s,:"](?:[^\s,"]*[^\s,:"])?/g;

const unquote = (text: string): string =>
  text.startsWith('"') ? String(parseJson(text) ?? text) : text;

const listTokens = (line: string): string[] => (line.match(token) ?? []).map(unquote);

const refuse = (line: number): UnreadableDependencyFileError =>
  new UnreadableDependencyFileError(
    `It is no lockfile of Yarn: line ${line} has another form. Write it again: yarn install`,
  );

/**
 * Returns the entries of a Yarn 1 lockfile, whose format resembles YAML. Of the existing parser packages, one is
 * unmaintained since 2018 and needs Node.js, and the other reports no line numbers.
 * @throws {UnreadableDependencyFileError} at a line that is not understood
 */
const parse = (text: string): Entry[] => {
  const entries: Entry[] = [];
  let inNeeds = false;
  for (const [at, raw] of text.split('\n').entries()) {
    if (/^#|^\s*$/.test(raw)) continue;
    // Yarn also ends a line at a lone carriage return, so that one line may set several fields: the last one wins.
    const content = raw.replace(/\r$/, '');
    if (content.includes('\r')) throw refuse(at + 1);
    const indent = content.search(/\S/);
    const tokens = listTokens(content);
    const [first, second] = tokens;
    const entry = entries.at(-1);
    if (indent === 0 && content.endsWith(':')) {
      entries.push({ patterns: tokens, line: at + 1, fields: new Map(), needs: [] });
      inNeeds = false;
    } else if (tokens.length > 2) {
      throw refuse(at + 1);
    } else if (indent === 2 && entry && first !== undefined) {
      inNeeds = content.endsWith(':') && /^(?:optionalD|d)ependencies$/.test(first);
      if (second !== undefined) entry.fields.set(first, second);
    } else if (indent === 4 && entry && first !== undefined) {
      if (inNeeds) entry.needs.push(`${first}@${second ?? ''}`);
    } else throw refuse(at + 1);
  }
  return entries;
};

/** Returns the packages of an entry with their specifiers, for an alias its target. Most entries have one package. */
const listNames = ({ patterns }: Entry): Map<string, string[]> => {
  const asked = patterns.map(splitLocator);
  const groups = groupBy(asked, ({ name, reference }) => readAlias(reference)?.name ?? name);
  return new Map(
    [...groups].map(([name, group]) => [name, group.map(({ reference }) => reference)]),
  );
};

/** Returns the hashes and the address of an entry. Yarn writes the SHA-1 of the file in the URL's fragment. */
const readContent = ({ fields }: Entry) => {
  const address = fields.get('resolved') ?? '';
  const sha1 = cutAfter(address, '#');
  return {
    hashes: [...splitIntegrity(fields.get('integrity')), ...(sha1 ? [`sha1:${sha1}`] : [])],
    addresses: [cutBefore(address, '#')],
  };
};

const readEntry = (entry: Entry, through: readonly string[] | undefined): Found[] => {
  const { fields, line } = entry;
  const [version, address] = [fields.get('version'), fields.get('resolved')];
  return [...listNames(entry)].map(([name, specs]): Found => {
    const elsewhere = judgeOrigin({ name, version, specs, address });
    if (elsewhere) return { text: `${name}@${version ?? specs[0]}`, ...elsewhere, line };
    if (version === undefined) return { text: name, reason: 'no_version', line };
    return { ecosystem: 'npm', name, version, line, through, ...readContent(entry) };
  });
};

/**
 * Returns the contents of a Yarn 1 lockfile. The file lists neither workspaces nor direct dependencies: packages that
 * no other package requires count as direct.
 */
export const readYarn1Lock = (text: string): Contents => {
  const entries = parse(text);
  const byPattern = new Map(
    entries.flatMap((entry) => entry.patterns.map((pattern) => [pattern, entry] as const)),
  );
  const graph = new Map<Entry, GraphNode<Entry>>(
    entries.map((entry) => {
      const label = `${[...listNames(entry).keys()][0]}@${entry.fields.get('version')}`;
      const needs = entry.needs.flatMap((pattern) => byPattern.get(pattern) ?? []);
      return [entry, { label, needs }];
    }),
  );
  const findChain = prepareChains(graph, listUnneeded(graph));
  return gather(entries.flatMap((entry) => readEntry(entry, findChain(entry))));
};
