import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { readDirectives } from './directives.ts';
import { expand, type Lookup } from './expand.ts';
import { readImage } from './image.ts';
import { type Instruction, splitInstructions } from './instructions.ts';

/** Returns the `from` of a mount, such as `golang:1.22` in `--mount=type=bind,from=golang:1.22,source=/a`. */
const readMount = (mount: string): string[] =>
  mount.split(',').flatMap((part) => /^\s*from=(.*)$/is.exec(part)?.[1] ?? []);

/** Returns the images or stages that COPY, ADD and RUN take files from. */
const listTaken = ({ flags }: Instruction): string[] =>
  flags.flatMap(([name, value]) => {
    if (name === 'from') return [value];
    return name === 'mount' ? readMount(value) : [];
  });

/** Returns a lookup of the ARG values before the first FROM. Only these may appear in image names. */
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

/** Returns the images that a Dockerfile names, with lines counted from 1. */
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
  // The frontend that builds the file is also an image.
  if (syntax) add(syntax.image, syntax.line);
  let count = 0;
  for (const instruction of instructions) {
    const { keyword, words, line } = instruction;
    if (keyword !== 'FROM') {
      const taken = listTaken(instruction);
      // Outside FROM, a number below the count of stages refers to a stage.
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
