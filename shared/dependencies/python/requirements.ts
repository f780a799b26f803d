import { canonicalizeName } from '../../domain/package-name.ts';
import { type GraphNode, prepareChains } from '../chains.ts';
import type { Contents, FormatReader } from '../format-reader.ts';
import { type Found, gather } from '../gather.ts';
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

/** Tells who asks for what, where a compiler of requirements has written it down. */
const prepareVia = (lines: readonly Line[]) => {
  if (lines.every(({ via }) => via.length === 0)) return () => undefined;
  const graph = new Map<string, GraphNode<string> & { needs: string[] }>();
  const keyOf = (line: Line): string => spell(nameOf(line) ?? line.text);
  for (const line of lines) graph.set(keyOf(line), { label: labelOf(line), needs: [] });
  const direct: string[] = [];
  for (const line of lines) {
    const key = keyOf(line);
    // Of what is no package of this file, such as `-r requirements.in`, it is the project that asks.
    const askers = line.via.map((via) => graph.get(spell(via)));
    if (!askers.every(Boolean) || askers.length === 0) direct.push(key);
    for (const asker of askers) asker?.needs.push(key);
  }
  const findChain = prepareChains(graph, direct);
  return (line: Line) => findChain(keyOf(line));
};

const read = (text: string): Contents => {
  checkCoding(text);
  const lines = splitRequirements(text).map((one) => ({
    ...one,
    requirement: readRequirement(one.text),
  }));
  const findChain = prepareVia(lines);
  return gather(
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
    lines
      .filter(({ requirement }) => requirement.kind === 'setting')
      .flatMap(({ text: setting, line }) =>
        listSources(setting).map((source) => ({ ecosystem: 'pypi' as const, ...source, line })),
      ),
  );
};

export const requirementsFile: FormatReader = {
  format: 'requirements.txt',
  named:
    /(?:^|\/)(?:[^/]*requirements[^/]*\.(?:txt|lock)|requirements\/[^/]+\.txt|constraints[^/]*\.txt)$/i,
  read,
};
