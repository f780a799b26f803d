import { groupBy } from '../../../util/group-by.ts';
import { parseJson } from '../../../util/json.ts';
import { type GraphNode, listUnneeded, prepareChains } from '../../lockfiles/chains.ts';
import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { cutAfter, cutBefore } from '../../lockfiles/syntax/text-before.ts';
import { judgeOrigin, readAlias, splitIntegrity, splitLocator } from './specs.ts';

/** One version, and all that it is asked for by: `lodash@^4.17.0, lodash@4`. */
interface Entry {
  readonly patterns: readonly string[];
  readonly line: number;
  readonly fields: Map<string, string>;
  /** As patterns, too. */
  readonly needs: string[];
}

/** What has no end to its quotes is one, too, so that the search takes no longer than the text is. */
const token = /"(?:[^"\\]|\\.)*(?:"|$)|[^\s,:"](?:[^\s,"]*[^\s,:"])?/g;

const unquote = (text: string): string =>
  text.startsWith('"') ? String(parseJson(text) ?? text) : text;

const listTokens = (line: string): string[] => (line.match(token) ?? []).map(unquote);

const refuse = (line: number): UnreadableDependencyFileError =>
  new UnreadableDependencyFileError(
    `It is no lockfile of Yarn: line ${line} cannot be understood. Have Yarn write it anew: yarn install`,
  );

/**
 * Reads the lines of Yarn 1, which are almost YAML. Of the packages that read it, one has not been kept since 2018 and
 * needs Node.js, and the other does not tell lines.
 */
const parse = (text: string): Entry[] => {
  const entries: Entry[] = [];
  let inNeeds = false;
  for (const [at, raw] of text.split('\n').entries()) {
    if (/^#|^\s*$/.test(raw)) continue;
    // To Yarn a lone carriage return ends a line, too, and a line may set several fields: the last one counts.
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

/** The packages that an entry is of: of an alias, what it stands for. One mostly, whatever it is asked for by. */
const listNames = ({ patterns }: Entry): Map<string, string[]> => {
  const asked = patterns.map(splitLocator);
  const groups = groupBy(asked, ({ name, reference }) => readAlias(reference)?.name ?? name);
  return new Map(
    [...groups].map(([name, group]) => [name, group.map(({ reference }) => reference)]),
  );
};

/** Behind its address, Yarn writes the SHA-1 of the file. */
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
 * Reads the lockfile of Yarn 1. It knows nothing of workspaces, nor what the project asks for: that is taken to be what
 * nothing else asks for.
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
