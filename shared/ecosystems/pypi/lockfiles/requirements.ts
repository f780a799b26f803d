import { canonicalizeName } from '../../../domain/packages/package-name.ts';
import { type GraphNode, prepareChains } from '../../lockfiles/chains.ts';
import type { Builds } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { readBinaryRules } from './binary-rules.ts';
import { checkCoding } from './coding-line.ts';
import {
  dropOptions,
  listSources,
  type Requirement,
  readHashes,
  readRequirement,
} from './requirement.ts';
import { type RequirementLine, splitRequirements } from './requirement-lines.ts';

type Line = RequirementLine & { readonly requirement: Requirement };

const nameOf = ({ requirement }: Line): string | undefined =>
  'name' in requirement ? requirement.name : undefined;

const spell = (name: string): string => canonicalizeName('pypi', name);

const labelOf = ({ text, requirement }: Line): string =>
  requirement.kind === 'pinned' ? `${requirement.name}@${requirement.version}` : dropOptions(text);

/** Returns a function for the dependency chain of a line, from the `via` comments; undefined if the file has none. */
const prepareVia = (lines: readonly Line[]) => {
  if (lines.every(({ via }) => via.length === 0)) return () => undefined;
  const graph = new Map<string, GraphNode<string> & { needs: string[] }>();
  const keyOf = (line: Line): string => spell(nameOf(line) ?? line.text);
  for (const line of lines) graph.set(keyOf(line), { label: labelOf(line), needs: [] });
  const direct: string[] = [];
  for (const line of lines) {
    const key = keyOf(line);
    // A `via` that is no package of this file, such as `-r requirements.in`, marks a direct dependency.
    const askers = line.via.map((via) => graph.get(spell(via)));
    if (!askers.every(Boolean) || askers.length === 0) direct.push(key);
    for (const asker of askers) asker?.needs.push(key);
  }
  const findChain = prepareChains(graph, direct);
  return (line: Line) => findChain(keyOf(line));
};

const withoutClosure =
  'It has neither hashes nor notes of what asks for each package, so that it may leave out what its packages bring with them. Write it whole: uv pip compile --generate-hashes requirements.in -o requirements.txt';

/** Returns why transitive dependencies may be missing; undefined for an empty file, or with hashes or `via` notes. */
const explainIncomplete = ({ dependencies, unpinned }: Contents): string | undefined => {
  const isEmpty = dependencies.length + unpinned.length === 0;
  const isCompiled = dependencies.some(
    ({ hashes = [], through }) => hashes.length > 0 || through !== undefined,
  );
  return isEmpty || isCompiled ? undefined : withoutClosure;
};

/**
 * Returns the packages that pip builds from source. Lines do not show wheels, so pip may also build any package without
 * a setting.
 */
const findBuilds = ({ dependencies }: Contents, settings: readonly string[]): Builds => {
  const wayOf = readBinaryRules(settings);
  const built = dependencies.filter(({ name }) => wayOf(name) === 'source');
  return {
    packages: built.map(({ name, version }) => `${name}@${version}`),
    mayBeMore: dependencies.some(({ name }) => wayOf(name) === 'either'),
    requires: [],
  };
};

const read = (text: string): Contents => {
  checkCoding(text);
  const lines = splitRequirements(text).map((one) => ({
    ...one,
    requirement: readRequirement(one.text),
  }));
  const findChain = prepareVia(lines);
  const settings = lines.filter(({ requirement }) => requirement.kind === 'setting');
  const contents = gather(
    lines.flatMap((one): Found[] => {
      const { requirement, line } = one;
      if (requirement.kind === 'setting') return [];
      if (requirement.kind === 'left') {
        return [{ text: dropOptions(one.text), reason: requirement.reason, line }];
      }
      const { name, version } = requirement;
      const hashes = readHashes(one.text);
      return [{ ecosystem: 'pypi', name, version, line, through: findChain(one), hashes }];
    }),
    [],
    settings.flatMap(({ text: setting, line }) =>
      listSources(setting).map((source) => ({ ecosystem: 'pypi' as const, ...source, line })),
    ),
  );
  const builds = findBuilds(
    contents,
    settings.map((setting) => setting.text),
  );
  return { ...contents, builds, incomplete: explainIncomplete(contents) };
};

export const requirementsFile: FormatReader = {
  format: 'requirements.txt',
  named:
    /(?:^|\/)(?:[^/]*requirements[^/]*\.(?:txt|lock)|requirements\/[^/]+\.txt|constraints[^/]*\.txt)$/i,
  read,
};
