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
 * Status of a finding: the registry's status of a version, or a fault of the project. `other_content`: files differ from
 * the reviewed ones. `other_source`: files from another host. `unpinned`: no exact version. `unreadable`: a file cannot be
 * read.
 */
export type FindingStatus =
  | CheckStatus
  | 'other_content'
  | 'other_source'
  | 'unpinned'
  | 'unreadable';

/** A file of a project: its parsed content, or the reason why it is unreadable. */
export interface ProjectFile {
  readonly path: string;
  readonly content: DependencyFile | undefined;
  readonly fault: string | undefined;
}

/** A registry's check result of a version. Newer registries may send further reasons. */
interface Verdict {
  /** Version that decided; null if the request named none. */
  readonly version: string | null;
  readonly status: CheckStatus;
  readonly allowed: boolean;
  readonly expires_at: string | null;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  readonly nearest_approved?: string | null | undefined;
  readonly content?: ContentMatch | undefined;
  readonly pinned_digest?: string | undefined;
  readonly rule: string | null;
  readonly waits_for: readonly string[];
  readonly waits_until: string | null;
}

/** All statuses of findings, from worst to best. */
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

/** Place of a dependency: its file, its line (from 1), and the packages that require it, as far as the file shows them. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly through?: readonly string[];
}

/** One dependency or fault of a project, and whether it is allowed. */
export interface Finding {
  readonly ecosystem: Ecosystem | null;
  /** Name of the package; the file's own text if it names no package. */
  readonly name: string;
  readonly version: string | null;
  /** Tag beside the digest of an image, if the review of the digest decided. */
  readonly tag?: string;
  /** Digest beside the tag of an image, if the review of the tag decided. */
  readonly digest?: string;
  /** Digest that the approval of a tag pinned; undefined if the file has this digest, or none is known. */
  readonly pinned_digest?: string;
  readonly status: FindingStatus;
  readonly allowed: boolean;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  readonly expires_at: string | null;
  /** Rule that decided the version, or that holds it; null if there is none. */
  readonly rule: string | null;
  /** What a pending version waits for, in the registry's words, such as `scan` or `review`. */
  readonly waits_for: readonly string[];
  /** When the version reaches the age that the rule requires, ISO 8601; null if it waits for no age. */
  readonly waits_until: string | null;
  /** Nearest approved version; null if there is none, undefined if not searched. */
  readonly nearest_approved?: string | null;
  /** Result of comparing file hashes with the reviewed ones; undefined if the files have no hashes. */
  readonly content?: ContentMatch;
  /** License from the first file that states one. */
  readonly license?: string;
  /** True if the baseline has this refused finding already; such findings do not fail the check. */
  readonly in_baseline: boolean;
  readonly found_in: readonly Place[];
}

/** A version that the project uses, with all places of use. */
export interface UsedVersion {
  readonly dependency: Dependency;
  readonly places: readonly Place[];
}

const toPlace = (file: string, { line, through }: Pick<Dependency, 'line' | 'through'>): Place => ({
  file,
  ...(line !== undefined && { line }),
  ...(through !== undefined && { through }),
});

/** The registry's limit of hashes for one version, which exceeds the number of files of any version. */
const mostHashes = 500;

/** Returns the text that is equal for equal versions. The registry compares a digest with the tag beside it. */
const toUseKey = (dependency: Dependency): string =>
  `${toVersionKey(dependency)} ${dependency.tag ?? ''}`;

/** Returns each pinned version once, with all its places, hashes and addresses. */
export const listUsedVersions = (files: readonly ProjectFile[]): readonly UsedVersion[] => {
  const used = files.flatMap(({ path, content }) =>
    (content?.dependencies ?? []).map((dependency) => ({
      dependency,
      place: toPlace(path, dependency),
    })),
  );
  const groups = groupBy(used, ({ dependency }) => toUseKey(dependency));
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

/** Fields of a finding that no version of the registry has. */
export const bareFinding = {
  ...{ ecosystem: null, version: null, expires_at: null, in_baseline: false },
  ...{ rule: null, waits_for: [], waits_until: null },
} as const;

const toUnpinned = (file: string, { text, reason, detail, line }: Unpinned): Finding => ({
  ...bareFinding,
  name: text,
  status: 'unpinned',
  allowed: false,
  reasons: [
    { code: reason, message: `It ${unpinnedReasons[reason]}${detail ? `: ${detail}` : ''}.` },
  ],
  found_in: [{ file, ...(line !== undefined && { line }) }],
});

/** Returns findings for dependencies without an exact version, and for unreadable files. */
export const listUnpinned = (files: readonly ProjectFile[]): readonly Finding[] =>
  files.flatMap(({ path, content, fault }): readonly Finding[] => {
    if (content) return content.unpinned.map((one) => toUnpinned(path, one));
    const reasons = [{ code: 'unreadable_file', message: fault ?? '' }];
    const unreadable = {
      ...bareFinding,
      name: path,
      status: 'unreadable',
      allowed: false,
    } as const;
    return [{ ...unreadable, reasons, found_in: [{ file: path }] }];
  });

/** Returns the version of a finding. For an image with a tag and a digest, the registry chooses which of them decides. */
const toReviewed = (
  { version, tag }: Dependency,
  verdict: Verdict,
): Pick<Finding, 'version' | 'tag' | 'digest'> => {
  if (tag === undefined) return { version };
  return verdict.version === tag ? { version: tag, digest: version } : { version, tag };
};

/** Returns the finding for a used version, from the registry's check result. */
export const toFinding = ({ dependency, places }: UsedVersion, verdict: Verdict): Finding => {
  const { status, allowed, reasons, expires_at, nearest_approved, content, pinned_digest } =
    verdict;
  const { rule, waits_for, waits_until } = verdict;
  return {
    ecosystem: dependency.ecosystem,
    name: dependency.name,
    ...toReviewed(dependency, verdict),
    status: content === 'other' && status !== 'rejected' ? 'other_content' : status,
    allowed: allowed && content !== 'other',
    ...{ reasons, expires_at },
    ...{ rule, waits_for, waits_until },
    ...(pinned_digest !== undefined && { pinned_digest }),
    ...(content !== undefined && { content }),
    ...(nearest_approved !== undefined && { nearest_approved }),
    ...(dependency.license !== undefined && { license: dependency.license }),
    in_baseline: false,
    found_in: places,
  };
};

/** True if the version is one of the organisation's own packages, which need no review. */
export const isOwnFinding = ({ reasons }: Pick<Finding, 'reasons'>): boolean =>
  reasons.some(({ code }) => code === 'own_package');

/** True if a freeze of the registry refuses the version, whatever its status. */
export const isFrozenFinding = ({ reasons }: Pick<Finding, 'reasons'>): boolean =>
  reasons.some(({ code }) => code === 'frozen');

/** True if submitting the version would help: it is unknown to the registry, a valid version, and not an own package. */
export const isSubmittable = (finding: Finding): boolean =>
  finding.status === 'unknown' &&
  !isOwnFinding(finding) &&
  !finding.reasons.some(({ code }) => code === 'not_a_version');

/** True if a finding makes the check fail. */
export const counts = ({ allowed, in_baseline }: Finding): boolean => !allowed && !in_baseline;

/** Returns the findings sorted from worst to best, then in the order of the files. */
export const sortFindings = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort(
    (a, b) => findingStatuses.indexOf(a.status) - findingStatuses.indexOf(b.status),
  );

/** Returns the reasons of a finding as one text, with the nearest approved version, if known. */
export const explainFinding = (finding: Finding): string => {
  const { version, status, reasons, nearest_approved } = finding;
  const why = reasons.map(({ message }) => message).join(' ');
  // An image with another digest than its approved tag needs no other tag.
  if (!nearest_approved || nearest_approved === version) return why;
  return `${why} ${status === 'approved' ? '' : `Approved: ${nearest_approved}.`}`.trim();
};
