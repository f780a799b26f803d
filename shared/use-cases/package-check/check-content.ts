import type { CheckReason } from '../../api/schemas/check.ts';
import {
  type ContentMatch,
  compareContent,
  type PinnedFiles,
} from '../../domain/facts/pinned-files.ts';
import type { FileHash } from '../../domain/packages/file-hash.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import { explainSource, type OriginHosts } from '../../domain/packages/source-hosts.ts';
import { type FileEcosystem, isFileEcosystem } from '../../ecosystems/ecosystem.ts';
import { findPinnedDigest, findPinnedHashes } from '../../storage/reviews/pinned-hashes.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { explainOtherDigest } from './images.ts';
import type { AskedVersion } from './requested-package.ts';

/** Origin hosts of each ecosystem whose lockfiles name hosts. */
export type Origins = Readonly<Record<FileEcosystem, OriginHosts>>;

/** Returns the pinned files of all versions that were requested with hashes, by version key. */
export const findContents = async (
  asked: readonly AskedVersion[],
  heads: ReadonlyMap<string, ReviewState>,
): Promise<ReadonlyMap<string, PinnedFiles>> => {
  const wanted = asked.flatMap(({ id, hashes }) => {
    const head = hashes.length > 0 ? heads.get(toVersionKey(id)) : undefined;
    const digest = head && findPinnedDigest(head);
    return digest === undefined ? [] : [{ ...id, digest }];
  });
  return findPinnedHashes(wanted);
};

const explainOther = ({ algorithm, hex }: FileHash): CheckReason => ({
  code: 'other_content',
  message: `Its content is not what was reviewed: no file of this version has the hash ${algorithm}:${hex}. Do not install it; find out who changed the hash, and have the lockfile written anew.`,
});

const explainAddresses = ({ id, addresses }: AskedVersion, origins: Origins): CheckReason[] => {
  if (!isFileEcosystem(id.ecosystem)) return [];
  const { index_hosts, file_hosts } = origins[id.ecosystem];
  const hosts = new Set([...index_hosts, ...(file_hosts ?? [])]);
  const why = addresses.flatMap((address) => explainSource(address, hosts) ?? []);
  return why.slice(0, 1).map((text) => ({ code: 'other_source', message: `It ${text}.` }));
};

/** Compares the content of a requested version with the reviewed content. Returns the match and the issues. */
export const checkContent = (
  asked: AskedVersion,
  contents: ReadonlyMap<string, PinnedFiles>,
  origins: Origins,
): { readonly content?: ContentMatch; readonly reasons: readonly CheckReason[] } => {
  const elsewhere = explainAddresses(asked, origins);
  if (asked.hashes.length === 0) return { reasons: elsewhere };
  const pinned: Pick<PinnedFiles, 'hashes' | 'imageDigest'> = contents.get(
    toVersionKey(asked.id),
  ) ?? { hashes: [] };
  const { match, other } = compareContent(asked.hashes, pinned);
  const explain = (hash: FileHash): CheckReason =>
    asked.id.ecosystem === 'docker' ? explainOtherDigest(asked, pinned) : explainOther(hash);
  return { content: match, reasons: [...(other ? [explain(other)] : []), ...elsewhere] };
};

/** Returns the origins with the file hosts of PyPI added from the pinned files, if its settings name none. */
export const addFileHosts = (
  origins: Origins,
  contents: ReadonlyMap<string, PinnedFiles>,
): Origins => {
  const seen = [...contents.values()].flatMap(({ hosts }) => hosts);
  if (origins.pypi.file_hosts !== null || seen.length === 0) return origins;
  return { ...origins, pypi: { ...origins.pypi, file_hosts: [...new Set(seen)].toSorted() } };
};
