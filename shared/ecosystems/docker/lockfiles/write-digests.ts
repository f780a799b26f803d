import { canonicalizeName } from '../../../domain/packages/package-name.ts';
import {
  type DependencyFormat,
  UnreadableDependencyFileError,
} from '../../lockfiles/dependency-file.ts';
import type { FormatReader } from '../../lockfiles/format-reader.ts';
import { cleanText, type Found } from '../../lockfiles/gather.ts';
import { addDigest } from '../image-reference.ts';
import { compose, listComposeImages } from './compose.ts';
import { dockerfile, listDockerfileImages } from './dockerfile.ts';
import type { ImageSite, Unwritable } from './image.ts';

/** Formats of files into which digests of images can be written. */
export type ImageFormat = 'Dockerfile' | 'compose.yaml';

const formats: Readonly<
  Record<ImageFormat, { reader: FormatReader; list: (text: string) => ImageSite[] }>
> = {
  Dockerfile: { reader: dockerfile, list: listDockerfileImages },
  'compose.yaml': { reader: compose, list: listComposeImages },
};

export const isImageFormat = (format: DependencyFormat | string): format is ImageFormat =>
  format in formats;

/** Returns the digest of an image by its canonical name and its tag; undefined if it stays without one. */
export type FindDigest = (name: string, tag: string) => string | undefined;

/** Reference to an image, as in the file, and its line counted from 1. */
interface Named {
  readonly image: string;
  readonly line: number | undefined;
}

/** Reference that was pinned. */
export interface PinnedImage extends Named {
  /** New reference. */
  readonly pinned: string;
}

/** Reason why a reference was not pinned. `changed`: the new file would have another meaning. */
export interface ImageLeft extends Named {
  readonly reason: Unwritable | 'changed';
}

/** Text of a file after the change, with the references that changed, and those that could not. */
export interface PinnedText {
  readonly text: string;
  readonly pinned: readonly PinnedImage[];
  readonly left: readonly ImageLeft[];
}

/** A text to insert at an offset. */
interface Insertion {
  readonly site: ImageSite;
  readonly end: number;
  readonly added: string;
}

const toNamed = ({ written, found: { line } }: ImageSite): Named => ({
  ...{ image: cleanText(written), line },
});

const findSiteDigest = ({ found }: ImageSite, find: FindDigest): string | undefined =>
  'reason' in found || found.tag !== undefined || found.version.includes(':')
    ? undefined
    : find(canonicalizeName('docker', found.name), found.version);

const toInsertion = (site: ImageSite, end: number, digest: string): Insertion => ({
  ...{ site, end },
  added: addDigest(site.written, digest).slice(site.written.length),
});

const insert = (text: string, insertions: readonly Insertion[]): string => {
  const parts: string[] = [];
  let at = 0;
  for (const { end, added } of insertions.toSorted((a, b) => a.end - b.end)) {
    parts.push(text.slice(at, end), added);
    at = end;
  }
  return [...parts, text.slice(at)].join('');
};

const describe = (found: Found): readonly unknown[] =>
  'reason' in found
    ? [found.reason, found.text, found.line]
    : [found.name, found.version, found.tag, found.line];

/** Returns what a text must mean after the change: the images of before, with the digests. */
const expectImages = (
  sites: readonly ImageSite[],
  find: FindDigest,
  ends: ReadonlySet<ImageSite['end']>,
): readonly unknown[] =>
  sites.map((site) => {
    const { found, end } = site;
    const digest = ends.has(end) ? findSiteDigest(site, find) : undefined;
    if ('reason' in found || digest === undefined) return describe(found);
    return describe({ ...found, version: digest, tag: found.version });
  });

const meansSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns true if a new text has the expected images, and the project's own images of before. */
const isExpected = (
  texts: { readonly before: string; readonly after: string },
  expected: readonly unknown[],
  format: ImageFormat,
): boolean => {
  const { reader, list } = formats[format];
  try {
    const images = list(texts.after).map(({ found }) => describe(found));
    const own = reader.read(texts.after).own;
    return meansSame(images, expected) && meansSame(own, reader.read(texts.before).own);
  } catch (error) {
    if (error instanceof UnreadableDependencyFileError) return false;
    throw error;
  }
};

/** Lists references without a digest that stay as they are, and name no image of a known digest. */
const isUnresolved = ({ found }: ImageSite): boolean =>
  'reason' in found && (found.reason === 'variable' || found.reason === 'include');

/**
 * Writes digests beside the tags of images in a Dockerfile or Compose file. Nothing else changes. The new text is parsed
 * again: if it does not name the images of before with the digests, the text stays as it was.
 * @throws {UnreadableDependencyFileError} if the text is malformed
 */
export const writeDigests = (format: ImageFormat, text: string, find: FindDigest): PinnedText => {
  const sites = formats[format].list(text);
  const insertions = new Map<number, Insertion>();
  const left: ImageLeft[] = [];
  for (const site of sites) {
    const digest = findSiteDigest(site, find);
    const { end } = site;
    if (typeof end === 'number') {
      // An alias in YAML names the text at its anchor.
      if (digest !== undefined && !insertions.has(end)) {
        insertions.set(end, toInsertion(site, end, digest));
      }
    } else if (digest !== undefined || isUnresolved(site)) {
      left.push({ ...toNamed(site), reason: end });
    }
  }
  const all = [...insertions.values()];
  if (all.length === 0) return { text, pinned: [], left };
  const after = insert(text, all);
  const expected = expectImages(sites, find, new Set(insertions.keys()));
  if (!isExpected({ before: text, after }, expected, format)) {
    const changed = all.map(({ site }) => ({ ...toNamed(site), reason: 'changed' as const }));
    return { text, pinned: [], left: [...left, ...changed] };
  }
  const pinned = all.map(({ site, added }) => {
    const named = toNamed(site);
    return { ...named, pinned: `${named.image}${added}` };
  });
  return { text: after, pinned, left };
};
