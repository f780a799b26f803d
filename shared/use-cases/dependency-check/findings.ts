import type { CheckStatus } from '../../api/schemas/check.ts';
import type { ContentMatch } from '../../domain/facts/pinned-files.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import {
  type Dependency,
  type DependencyFile,
  type Unpinned,
  unpinnedReasons,
} from '../../ecosystems/lockfiles/dependency-file.ts';
import { groupBy } from '../../util/group-by.ts';

/**
 * What a registry says of a version; that other files are installed than were reviewed, or from elsewhere; that nobody can
 * tell which version is meant; or that a file cannot be read.
 */
export type FindingStatus =
  | CheckStatus
  | 'other_content'
  | 'other_source'
  | 'unpinned'
  | 'unreadable';

/** A file of a project: what it says, or why it cannot be read. */
export interface ProjectFile {
  readonly path: string;
  readonly content: DependencyFile | undefined;
  readonly fault: string | undefined;
}

/** What a registry says of a version. A newer one may know more reasons. */
interface Verdict {
  readonly status: CheckStatus;
  readonly allowed: boolean;
  readonly expires_at: string | null;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  readonly nearest_approved?: string | null | undefined;
  readonly content?: ContentMatch | undefined;
}

/** From the worst to the best. */
export const findingStatuses: readonly FindingStatus[] = [
  'rejected',
  'other_content',
  'unreadable',
  'other_source',
  'unpinned',
  'unknown',
  'pending',
  'approved',
];

/** Where something stands: from line 1, and through what a package came in, if the file tells. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly through?: readonly string[];
}

/** One thing that a project uses, and whether it may. */
export interface Finding {
  readonly ecosystem: Ecosystem | null;
  /** What the file has there, where no package can be made out of it. */
  readonly name: string;
  readonly version: string | null;
  /** Of an image that is named by its digest, the tag beside it. */
  readonly tag?: string;
  readonly status: FindingStatus;
  readonly allowed: boolean;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  readonly expires_at: string | null;
  /** Undefined where nobody looked. */
  readonly nearest_approved?: string | null;
  /** Whether the hashes of the files are those that were reviewed; undefined where the files have none. */
  readonly content?: ContentMatch;
  /** As the first file states it that states one. */
  readonly license?: string;
  /** Whether it was found, and not allowed, before: then it does not count. */
  readonly in_baseline: boolean;
  readonly found_in: readonly Place[];
}

/** A version that the project uses, wherever it does. */
export interface UsedVersion {
  readonly dependency: Dependency;
  readonly places: readonly Place[];
}

const toPlace = (file: string, { line, through }: Pick<Dependency, 'line' | 'through'>): Place => ({
  file,
  ...(line !== undefined && { line }),
  ...(through !== undefined && { through }),
});

/** As many as a registry takes of one version, and more than a version has files. */
const mostHashes = 500;

/** Each version that the files pin, once, with all places of it, all hashes and all addresses. */
export const listUsedVersions = (files: readonly ProjectFile[]): readonly UsedVersion[] => {
  const used = files.flatMap(({ path, content }) =>
    (content?.dependencies ?? []).map((dependency) => ({
      dependency,
      place: toPlace(path, dependency),
    })),
  );
  const groups = groupBy(used, ({ dependency }) => toVersionKey(dependency));
  return [...groups.values()].flatMap((same) => {
    const stated = same.find(({ dependency }) => dependency.license !== undefined) ?? same[0];
    const places = same.map(({ place }) => place);
    const hashes = same.flatMap(({ dependency }) => dependency.hashes ?? []);
    const addresses = same.flatMap(({ dependency }) => dependency.addresses ?? []);
    const content = {
      hashes: hashes.length > 0 ? [...new Set(hashes)].slice(0, mostHashes) : undefined,
      addresses: [...new Set(addresses)],
    };
    return stated ? [{ dependency: { ...stated.dependency, ...content }, places }] : [];
  });
};

const bare = { ecosystem: null, version: null, expires_at: null, in_baseline: false } as const;

const toUnpinned = (file: string, { text, reason, detail, line }: Unpinned): Finding => ({
  ...bare,
  name: text,
  status: 'unpinned',
  allowed: false,
  reasons: [
    { code: reason, message: `It ${unpinnedReasons[reason]}${detail ? `: ${detail}` : ''}.` },
  ],
  found_in: [{ file, ...(line !== undefined && { line }) }],
});

/** What of the files names no version, and which of them say nothing at all. */
export const listUnpinned = (files: readonly ProjectFile[]): readonly Finding[] =>
  files.flatMap(({ path, content, fault }): readonly Finding[] => {
    if (content) return content.unpinned.map((one) => toUnpinned(path, one));
    const reasons = [{ code: 'unreadable_file', message: fault ?? '' }];
    const unreadable = { ...bare, name: path, status: 'unreadable', allowed: false } as const;
    return [{ ...unreadable, reasons, found_in: [{ file: path }] }];
  });

/** What the registry said of a version, where the project uses it. */
export const toFinding = (
  { dependency, places }: UsedVersion,
  { status, allowed, reasons, expires_at, nearest_approved, content }: Verdict,
): Finding => ({
  ecosystem: dependency.ecosystem,
  name: dependency.name,
  version: dependency.version,
  ...(dependency.tag !== undefined && { tag: dependency.tag }),
  status: content === 'other' && status !== 'rejected' ? 'other_content' : status,
  allowed: allowed && content !== 'other',
  ...{ reasons, expires_at },
  ...(content !== undefined && { content }),
  ...(nearest_approved !== undefined && { nearest_approved }),
  ...(dependency.license !== undefined && { license: dependency.license }),
  in_baseline: false,
  found_in: places,
});

/** Whether submitting it would help: nobody did so, and it can be a version. */
export const isSubmittable = ({ status, reasons }: Finding): boolean =>
  status === 'unknown' && !reasons.some(({ code }) => code === 'not_a_version');

/** Whether it makes the check fail. */
export const counts = ({ allowed, in_baseline }: Finding): boolean => !allowed && !in_baseline;

/** The worst first, and then in the order of the files. */
export const sortFindings = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort(
    (a, b) => findingStatuses.indexOf(a.status) - findingStatuses.indexOf(b.status),
  );

/** `name version`, or what the file has there. */
export const toTitle = ({ name, version }: Pick<Finding, 'name' | 'version'>): string =>
  version === null ? name : `${name} ${version}`;

/** Why it is not allowed, and which version would be. */
export const explainFinding = ({ status, reasons, nearest_approved }: Finding): string => {
  const why = reasons.map(({ message }) => message).join(' ');
  if (!nearest_approved) return why;
  return `${why} ${status === 'approved' ? '' : `Approved: ${nearest_approved}.`}`.trim();
};
