import { lstatSync, realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { toVersionKey } from '../../../../shared/domain/packages/package-id.ts';
import {
  type FindDigest,
  type ImageFormat,
  type ImageLeft,
  isImageFormat,
  writeDigests,
} from '../../../../shared/ecosystems/docker/lockfiles/write-digests.ts';
import { decodeDependencyFile } from '../../../../shared/ecosystems/lockfiles/decode.ts';
import type { Finding } from '../../../../shared/use-cases/dependency-check/findings.ts';
import { listPinnedTags } from '../../../../shared/use-cases/dependency-check/tags.ts';
import type { Project } from '../read-project.ts';
import { encodeAs } from './encode-text.ts';
import { replaceFile } from './replace-file.ts';

interface ImagePlace {
  readonly file: string;
  readonly line?: number;
  /** Reference as in the file, before the change. */
  readonly image: string;
}

/** A reference to which a digest was added. */
export interface FixedImage extends ImagePlace {
  /** New reference. */
  readonly pinned: string;
}

/** A reference that stays as it is, and the reason. */
export interface NotFixedImage extends ImagePlace {
  readonly reason: ImageLeft['reason'] | 'other_digest' | 'link' | 'file';
  readonly message: string;
}

/** The outcome of `--fix`. */
export interface Fixes {
  readonly fixed: readonly FixedImage[];
  readonly not_fixed: readonly NotFixedImage[];
}

const messages: Readonly<Record<ImageLeft['reason'], string>> = {
  variable: 'It has a variable. Write the digest where its value is set.',
  spelling: 'It has quotes or escapes inside, or is on several lines. Write the digest yourself.',
  inline: 'It is in a dockerfile_inline. Write the digest yourself, or use a Dockerfile.',
  model: 'It is a model, which Compose names by its tag.',
  include: 'It names another file. Check that file, too.',
  changed: 'The digest would change something else in the file. Write it yourself.',
};

const toPlace = (file: string, { image, line }: Pick<ImageLeft, 'image' | 'line'>): ImagePlace => ({
  ...{ file, image },
  ...(line !== undefined && { line }),
});

const prepareFindDigest = (findings: readonly Finding[]): FindDigest => {
  const digests = new Map(
    listPinnedTags(findings).map(({ name, version, pinned_digest }) => [
      toVersionKey({ ecosystem: 'docker', name, version }),
      pinned_digest,
    ]),
  );
  return (name, version) => digests.get(toVersionKey({ ecosystem: 'docker', name, version }));
};

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !/^([A-Za-z]:|\/)/.test(way);
};

/** Returns whether a link leads to a file outside the project: the current folder, or else the folder of the file. */
const leadsOut = (file: string): boolean => {
  const folder = isBelow('.', file) ? '.' : dirname(file);
  return !isBelow(realpathSync(folder), realpathSync(file));
};

/** Writes the new content of a file. Returns the reason if the file stays as it was. */
const writeContent = (
  file: string,
  before: Uint8Array,
  after: Uint8Array | undefined,
): Pick<NotFixedImage, 'reason' | 'message'> | undefined => {
  if (!after) return { reason: 'file', message: 'The file has an unusual encoding.' };
  try {
    if (leadsOut(file)) {
      return { reason: 'link', message: 'A link leads to the file, which is outside the project.' };
    }
    if (replaceFile(realpathSync(file), before, after)) return undefined;
    return { reason: 'file', message: 'The file was changed in the meantime. Run this again.' };
  } catch (error) {
    return { reason: 'file', message: `It cannot be written: ${(error as Error).message}` };
  }
};

const fixFile = (
  file: string,
  { format, bytes }: { readonly format: ImageFormat; readonly bytes: Uint8Array },
  find: FindDigest,
): Fixes => {
  const before = decodeDependencyFile(bytes);
  const { text, pinned, left } = writeDigests(format, before, find);
  const not_fixed = left.map((one) => ({
    ...{ ...toPlace(file, one), reason: one.reason },
    message: messages[one.reason],
  }));
  if (pinned.length === 0) return { fixed: [], not_fixed };
  const failed = writeContent(file, bytes, encodeAs(bytes, before, text));
  if (!failed) {
    return {
      fixed: pinned.map((one) => ({ ...toPlace(file, one), pinned: one.pinned })),
      not_fixed,
    };
  }
  const others = pinned.map((one) => ({ ...toPlace(file, one), ...failed }));
  return { fixed: [], not_fixed: [...not_fixed, ...others] };
};

/** Lists images whose digest is not the one that was approved: a person has to find out why. */
const listOtherDigests = (
  findings: readonly Finding[],
  files: ReadonlySet<string>,
): NotFixedImage[] =>
  findings.flatMap(({ name, version, digest, content, pinned_digest, found_in }) => {
    if (content !== 'other' || digest === undefined) return [];
    const image = `${name}:${version}@${digest}`;
    const was = pinned_digest === undefined ? '' : `, which is ${pinned_digest}`;
    const message = `Its digest is not the reviewed one${was}. Find out why before you change it.`;
    return found_in
      .filter(({ file }) => files.has(file))
      .map(({ file, line }) => ({
        ...toPlace(file, { image, line }),
        ...{ reason: 'other_digest' as const, message },
      }));
  });

/** Lists the files into which digests can be written, each once, even if links lead to it. */
const listImageFiles = ({ files, read }: Project) => {
  const seen = new Set<string>();
  return files.flatMap(({ path, content }) => {
    const bytes = read?.get(path);
    if (!content || !bytes || !isImageFormat(content.format)) return [];
    const target = lstatSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path;
    if (seen.has(target)) return [];
    seen.add(target);
    return [{ path, format: content.format, bytes }];
  });
};

/** Writes the digests of approvals into the Dockerfiles and Compose files of a project. */
export const fixFiles = (project: Project, findings: readonly Finding[]): Fixes => {
  const find = prepareFindDigest(findings);
  const files = listImageFiles(project);
  const fixes = files.map(({ path, ...content }) => fixFile(path, content, find));
  const paths = new Set(files.map(({ path }) => path));
  return {
    fixed: fixes.flatMap(({ fixed }) => fixed),
    not_fixed: [
      ...fixes.flatMap(({ not_fixed }) => not_fixed),
      ...listOtherDigests(findings, paths),
    ],
  };
};
