import type { Random } from '../../../../support/random.ts';
import { digestOf } from './image-registry.ts';

/** Images with approved tags, whose digests are known. */
export const pinnedImages = ['node', 'docker/dockerfile', 'ghcr.io/acme/app', 'localhost:5000/x'];
export const tags = ['latest', '22', '1.27-alpine'];

/** A random file, and what `--fix` has to make of it. */
export interface RandomFile {
  readonly before: string;
  readonly after: string;
  readonly pinned: number;
}

/** Collects the text of a file together with the expected one. */
const createDraft = (random: Random) => {
  let [before, after, pinned] = ['', '', 0];
  const endLine = (): void =>
    write(`${random.pick(['', '', ' ', '\t'])}${random.pick(['\n', '\r\n'])}`);
  const write = (text: string): void => {
    before += text;
    after += text;
  };
  const chooseName = (): string => random.pick([...pinnedImages, 'redis', 'mongo']);
  return {
    write,
    endLine,
    line: (text: string): void => {
      write(text);
      endLine();
    },
    /** Writes an image by its tag, which gets its digest if the registry pinned one. */
    image: (): void => {
      const name = chooseName();
      const tag = random.pick(['', ...tags]);
      write(tag === '' ? name : `${name}:${tag}`);
      if (!pinnedImages.includes(name)) return;
      after += `${tag === '' ? ':latest' : ''}@${digestOf(name, tag || 'latest')}`;
      pinned += 1;
    },
    /** An image that is not to be changed. */
    other: (): string => {
      const name = random.pick(pinnedImages);
      const kinds = [`${name}:$VERSION`, `${name}@${digestOf(name, 'else')}`, `redis:7`];
      return random.pick(kinds);
    },
    end: (): RandomFile => ({ before, after, pinned }),
  };
};

type Draft = ReturnType<typeof createDraft>;

const writeComment = ({ line }: Draft, random: Random): void =>
  line(random.pick(['', '# FROM node:22', '  # ä 日本 😀 image: node:22', '\t#']));

const writeFrom = (draft: Draft, random: Random, stage: string): void => {
  draft.write(
    random.pick(['FROM ', 'from\t', '  FROM  ', 'FROM --platform=linux/arm64 ', 'FROM \\\n  ']),
  );
  const kind = random.below(6);
  if (kind === 0) draft.write(draft.other());
  else if (kind === 1) draft.write('scratch');
  else if (kind === 2) {
    draft.write('"');
    draft.image();
    draft.write('"');
  } else draft.image();
  draft.line(random.pick([` AS ${stage}`, ` as ${stage}`, ` \\\n# why\n AS ${stage}`]));
};

const writeStep = (draft: Draft, random: Random, stages: number): void => {
  const kind = random.below(8);
  if (kind === 0) draft.line('RUN echo "FROM node:22" && apt-get install node');
  else if (kind === 1) draft.line(`COPY --from=s${random.below(stages)} /a /b`);
  else if (kind === 2) draft.line('COPY --from=0 /a /b');
  else if (kind === 3) {
    draft.line('RUN <<EOT cat');
    draft.line('FROM node:22');
    draft.line('COPY --from=node:22 a b');
    // Blanks after the end word would belong to the text.
    draft.write('EOT\n');
  } else if (kind === 4) {
    draft.write('RUN --mount=type=cache,target=/c --mount=type=bind,from=');
    draft.image();
    draft.line(',source=/a,target=/b ls');
  } else if (kind === 5) draft.line('LABEL image="node:22" other=node:22');
  else {
    draft.write(random.pick(['COPY --chown=1:1 --from=', 'ADD --from=', 'ONBUILD COPY --from=']));
    draft.image();
    draft.line(' /a /b');
  }
};

const writeDockerfile = (random: Random): RandomFile => {
  const draft = createDraft(random);
  if (random.below(3) === 0) {
    draft.write(random.pick(['# syntax=', '#syntax = ', '//syntax=']));
    draft.image();
    draft.endLine();
  }
  draft.line('ARG VERSION=22');
  const stages = 1 + random.below(4);
  for (let stage = 0; stage < stages; stage += 1) {
    writeComment(draft, random);
    writeFrom(draft, random, `s${stage}`);
    for (let count = random.below(4); count > 0; count -= 1) {
      writeComment(draft, random);
      writeStep(draft, random, stage + 1);
    }
  }
  if (random.below(2) === 0) draft.write('# no line end');
  return draft.end();
};

const writeQuoted = (draft: Draft, quote: string): void => {
  draft.write(quote);
  draft.image();
  draft.write(quote);
};

const writeService = (draft: Draft, random: Random, name: string): void => {
  const quote = random.pick(['', '"', "'"]);
  const kind = random.below(8);
  if (kind === 0) {
    draft.write(`  ${name}: { restart: always, image: `);
    writeQuoted(draft, quote);
    draft.line(', command: "node:22" }');
    return;
  }
  draft.line(`  ${name}:`);
  draft.line('    environment: { IMAGE: node:22 } # image: node:22');
  if (kind === 1) {
    draft.write(`    image: &${name} `);
    writeQuoted(draft, quote);
    draft.endLine();
    draft.line(`  ${name}-twin: { image: *${name} }`);
  } else if (kind === 2) draft.line(`    image: "${draft.other()}"`);
  else if (kind === 3) draft.line('    build: .\n    image: node:22');
  else if (kind === 4) {
    draft.write(`    build:\n      additional_contexts:\n        - ${quote}base=docker-image://`);
    draft.image();
    draft.line(quote);
  } else if (kind === 5) {
    draft.write(
      '    volumes:\n      - /x:/y\n      - type: image\n        target: /z\n        source: ',
    );
    writeQuoted(draft, quote);
    draft.endLine();
  } else {
    draft.write('    image:  ');
    writeQuoted(draft, quote);
    draft.line(random.pick(['', '  # ä image: node:22']));
  }
};

const writeCompose = (random: Random): RandomFile => {
  const draft = createDraft(random);
  draft.line(random.pick(['# ä 日本 😀', 'name: node', 'x-image: node:22']));
  draft.line('services:');
  for (let count = 1 + random.below(5); count > 0; count -= 1) {
    writeComment(draft, random);
    writeService(draft, random, `a${count}`);
  }
  return draft.end();
};

/** Names and writers of the two kinds of files. */
export const kinds = [
  { name: 'Dockerfile', write: writeDockerfile },
  { name: 'compose.yaml', write: writeCompose },
] as const;
