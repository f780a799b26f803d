import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { gather } from '../../lockfiles/gather.ts';
import { readDirectives } from './directives.ts';
import { expand, type Lookup } from './expand.ts';
import { type ImageSite, readImage, type Written } from './image.ts';
import { findLineStarts, type Instruction, splitInstructions } from './instructions.ts';

/** Returns the `from` of a mount, such as `golang:1.22` in `--mount=type=bind,from=golang:1.22,source=/a`. */
const readMount = ({ text, at }: Written): Written[] =>
  [...text.matchAll(/(?<=^|,)(\s*from=)([^,]*)/gi)].map(
    ({ 1: before = '', 2: from = '', index }) => ({
      text: from,
      at: at === undefined ? undefined : at + index + before.length,
    }),
  );

/** Returns the images or stages that COPY, ADD and RUN take files from. */
const listTaken = ({ flags }: Instruction): Written[] =>
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
    for (const { text } of words) {
      const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
      values.set(name, value === undefined ? undefined : expand(value, lookup));
    }
  }
  return lookup;
};

/** Returns the references to images in a Dockerfile, with lines counted from 1. */
export const listDockerfileImages = (text: string): ImageSite[] => {
  const lines = text.split('\n');
  const { syntax } = readDirectives(lines);
  const instructions = splitInstructions(text);
  const lookup = readArguments(instructions);
  const stages = new Set<string>(['scratch']);
  const found: ImageSite[] = [];
  const add = (reference: Written, line: number): void => {
    const name = (expand(reference.text, lookup) ?? '').toLowerCase();
    if (!stages.has(name)) found.push(readImage(reference, line, lookup));
  };
  const isNumbered = (reference: string): boolean => /^\d+$/.test(reference);
  // The frontend that builds the file is also an image.
  if (syntax) {
    const { image, line, column } = syntax;
    add({ text: image, at: (findLineStarts(lines)[line - 1] ?? 0) + column }, line);
  }
  let count = 0;
  for (const instruction of instructions) {
    const { keyword, words, line } = instruction;
    if (keyword !== 'FROM') {
      const taken = listTaken(instruction);
      // Outside FROM, a number below the count of stages refers to a stage.
      for (const one of taken) {
        if (!isNumbered(one.text) || Number(one.text) >= count) add(one, line);
      }
    } else {
      const [image = { text: '', at: undefined }, as, stage] = words;
      add(image, line);
      count += 1;
      if (as?.text.toUpperCase() === 'AS' && stage) stages.add(stage.text.toLowerCase());
    }
  }
  return found;
};

const read = (text: string): Contents => {
  if (!/^[ \t]*FROM[ \t]/im.test(text)) {
    throw new UnreadableDependencyFileError('It is no Dockerfile: it has no FROM.');
  }
  return gather(listDockerfileImages(text).map(({ found }) => found));
};

export const dockerfile: FormatReader = {
  format: 'Dockerfile',
  named:
    /(?:^|\/)(?:dockerfile|(?:Docker|Container)file(?:[.-](?!dockerignore$)[^/]+)?)$|\.(?:[dD]ocker|[cC]ontainer)file$/,
  read,
};
