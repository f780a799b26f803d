import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { readDirectives } from './directives.ts';
import { expand, type Lookup } from './expand.ts';
import { readImage } from './image.ts';
import { type Instruction, splitInstructions } from './instructions.ts';

/** `--mount=type=bind,from=golang:1.22,source=/a`: what it is mounted from. */
const readMount = (mount: string): string[] =>
  mount.split(',').flatMap((part) => /^\s*from=(.*)$/is.exec(part)?.[1] ?? []);

/** What COPY, ADD and RUN take files from. */
const listTaken = ({ flags }: Instruction): string[] =>
  flags.flatMap(([name, value]) => {
    if (name === 'from') return [value];
    return name === 'mount' ? readMount(value) : [];
  });

/** The arguments before the first stage, which is where the names of images may use them. */
const readArguments = (instructions: readonly Instruction[]): Lookup => {
  const values = new Map<string, string | undefined>();
  const lookup: Lookup = (name) => values.get(name);
  for (const { keyword, words } of instructions) {
    if (keyword === 'FROM') break;
    if (keyword !== 'ARG') continue;
    for (const word of words) {
      const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      values.set(name, value === undefined ? undefined : expand(value, lookup));
    }
  }
  return lookup;
};

/** Which images a text names, with lines counted from 1. */
export const listImages = (text: string): Found[] => {
  const { syntax } = readDirectives(text.split('\n'));
  const instructions = splitInstructions(text);
  const lookup = readArguments(instructions);
  const stages = new Set<string>(['scratch']);
  const found: Found[] = [];
  const add = (reference: string, line: number): void => {
    const name = (expand(reference, lookup) ?? '').toLowerCase();
    if (!stages.has(name)) found.push(readImage(reference, line, lookup));
  };
  const isNumbered = (reference: string): boolean => /^\d+$/.test(reference);
  // The frontend that builds the file is an image, too.
  if (syntax) add(syntax.image, syntax.line);
  let count = 0;
  for (const instruction of instructions) {
    const { keyword, words, line } = instruction;
    if (keyword !== 'FROM') {
      const taken = listTaken(instruction);
      // Only FROM takes a number for the name of an image.
      for (const one of taken) if (!isNumbered(one) || Number(one) >= count) add(one, line);
    } else {
      const [image = '', as, stage] = words;
      add(image, line);
      count += 1;
      if (as?.toUpperCase() === 'AS' && stage) stages.add(stage.toLowerCase());
    }
  }
  return found;
};

const read = (text: string): Contents => {
  if (!/^[ \t]*FROM[ \t]/im.test(text)) {
    throw new UnreadableDependencyFileError('It is no Dockerfile: it has no FROM.');
  }
  return gather(listImages(text));
};

export const dockerfile: FormatReader = {
  format: 'Dockerfile',
  named:
    /(?:^|\/)(?:dockerfile|(?:Docker|Container)file(?:[.-](?!dockerignore$)[^/]+)?)$|\.(?:[dD]ocker|[cC]ontainer)file$/,
  read,
};
