import {
  Arg,
  Copy,
  DockerfileParser,
  From,
  type Instruction,
  ModifiableInstruction,
  Onbuild,
} from 'dockerfile-ast';
import { UnreadableDependencyFileError } from '../dependency-file.ts';
import type { Contents, FormatReader } from '../format-reader.ts';
import { type Found, gather } from '../gather.ts';
import type { Lookup } from './expand.ts';
import { expand } from './expand.ts';
import { readImage } from './image.ts';

/** An image that an instruction names, or a stage of the same file. */
interface Named {
  readonly reference: string;
  readonly line: number;
}

const lineOf = (instruction: Instruction): number => instruction.getRange().start.line + 1;

/** `--mount=type=bind,from=golang:1.22,source=/a`: what it is mounted from. */
const readMount = (mount: string): string[] =>
  mount.split(',').flatMap((part) => (part.startsWith('from=') ? part.slice('from='.length) : []));

/** What COPY and RUN take files from. */
const listTaken = (instruction: Instruction): Named[] => {
  const triggered =
    instruction instanceof Onbuild ? instruction.getTriggerInstruction() : instruction;
  if (!(triggered instanceof ModifiableInstruction)) return [];
  return triggered.getFlags().flatMap((flag) => {
    const value = flag.getValue() ?? '';
    const references =
      flag.getName() === 'from' && triggered instanceof Copy
        ? [value]
        : flag.getName() === 'mount'
          ? readMount(value)
          : [];
    return references.map((reference) => ({ reference, line: lineOf(instruction) }));
  });
};

/** The frontend that builds the file is an image, too. */
const listFrontends = (file: ReturnType<typeof DockerfileParser.parse>): Named[] =>
  file
    .getDirectives()
    .filter((directive) => directive.getName().toLowerCase() === 'syntax')
    .map((directive) => ({
      reference: directive.getValue(),
      line: directive.getRange().start.line + 1,
    }));

/** The arguments before the first stage, which is where the names of images may use them. */
const readArguments = (instructions: readonly Instruction[]): Lookup => {
  const values = new Map<string, string | undefined>();
  const lookup: Lookup = (name) => values.get(name);
  for (const instruction of instructions) {
    if (instruction instanceof From) break;
    if (!(instruction instanceof Arg)) continue;
    for (const property of instruction.getProperties()) {
      const value = property.getValue();
      values.set(property.getName(), value === null ? undefined : expand(value, lookup));
    }
  }
  return lookup;
};

/** Which images a text names, with lines counted from 1. */
export const listImages = (text: string): Found[] => {
  const file = DockerfileParser.parse(text);
  const instructions = file.getInstructions();
  const lookup = readArguments(instructions);
  const stages = new Set<string>(['scratch']);
  const found: Found[] = [];
  const add = ({ reference, line }: Named): void => {
    const name = (expand(reference, lookup) ?? '').toLowerCase();
    if (!stages.has(name)) found.push(readImage(reference, line, lookup));
  };
  let count = 0;
  listFrontends(file).forEach(add);
  for (const instruction of instructions) {
    if (instruction instanceof From) {
      add({ reference: instruction.getImage() ?? '', line: lineOf(instruction) });
      stages.add(String(count));
      count += 1;
      const stage = instruction.getBuildStage();
      if (stage) stages.add(stage.toLowerCase());
    } else listTaken(instruction).forEach(add);
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
