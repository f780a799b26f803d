import {
  type PackageId,
  type PackageName,
  toPackageKey,
} from '../../domain/packages/package-id.ts';
import { canonicalizeVersion } from '../../domain/packages/package-version.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { defineTable } from '../dynamodb/table.ts';

/** A ref of a project: a branch or a tag. */
export interface RefId {
  readonly project: string;
  readonly ref: string;
}

interface Keyed {
  readonly p: string;
  readonly k: string;
}

/** A project. Its owner is stored here alone, so that one write per project replaces an owner. */
export interface ProjectItem extends Keyed {
  readonly owner: string | null;
  /** Number of refs. */
  readonly refs: number;
  /** ISO 8601. */
  readonly recorded_at: string;
}

/** Facts of a recording. The ref takes them over when the recording is complete. */
export interface Recording {
  /** Id of the stored content: different for each write of a snapshot. */
  readonly content: string;
  /** Digest of the versions, as `sha256:HEX`. */
  readonly digest: string;
  readonly number: number;
  readonly commit: string | null;
  /** ISO 8601. */
  readonly recorded_at: string;
  /** Label of the token. */
  readonly label: string | null;
  /** Number of versions, and of direct versions. */
  readonly versions: number;
  readonly direct: number;
}

/**
 * A write that takes more than one transaction, and the time until which nobody else may write the ref. After that time, the
 * next write of the ref completes it.
 */
export interface RefLease {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly until: number;
  /** The snapshot that is being written; null while the ref is being removed. */
  readonly recording: Recording | null;
}

/** A ref with its current snapshot; without one before the first recording is complete. */
export interface RefItem extends Keyed {
  readonly current: Recording | null;
  /** Absent while nobody writes the ref. */
  readonly lease?: RefLease | undefined;
}

/** Compressed part of the versions of a snapshot. */
export interface ContentPart extends Keyed {
  /** Number of parts of the snapshot. */
  readonly of: number;
  readonly packed: Uint8Array;
}

/** Use of a package version by the current snapshot of a ref. Its keys name the version, the project and the ref. */
export interface UseRow extends Keyed {
  readonly direct: boolean | null;
}

/** Full name of a package under its short name. It stays if nobody uses the package any more. */
export type ShortNameRow = Keyed;

/** Number of projects. */
export interface ProjectTotal extends Keyed {
  readonly count: number;
}

export const projectsTable = defineTable<ProjectItem>('projects');
export const refsTable = defineTable<RefItem>('projects');
export const contentsTable = defineTable<ContentPart>('projects');
export const usesTable = defineTable<UseRow>('projects');
export const shortNamesTable = defineTable<ShortNameRow>('projects');
export const projectCountTable = defineTable<ProjectTotal>('projects');

/** Partition of all projects, by name. */
export const allProjects = '#projects';

/** Starts of the other partitions, by the kind of their items. */
export const partitionStarts = {
  ref: 'project#',
  content: 'content#',
  use: 'use#',
  shortName: 'short#',
} as const;

export const projectCountKey = { p: '#count', k: '#count' } as const;

export const toProjectKey = (project: string) => ({ p: allProjects, k: project });

export const toRefPartition = (project: string): string => `${partitionStarts.ref}${project}`;

/** Returns the id of a stored ref. */
export const readRefKey = ({ p, k }: Pick<RefItem, 'p' | 'k'>): RefId => ({
  project: p.slice(partitionStarts.ref.length),
  ref: k,
});

export const toRefKey = ({ project, ref }: RefId) => ({ p: toRefPartition(project), k: ref });

/** Partition of all contents of a ref. A content with another id than the ref names belongs to no snapshot. */
export const toContentPartition = ({ project, ref }: RefId): string =>
  `${partitionStarts.content}${project}#${ref}`;

/** Returns the ref of a partition of contents. */
export const readContentPartition = (p: string): RefId => {
  const [project = '', ...ref] = p.slice(partitionStarts.content.length).split('#');
  return { project, ref: ref.join('#') };
};

export const toUsePartition = ({ ecosystem, name }: PackageName): string =>
  `${partitionStarts.use}${toPackageKey(ecosystem, name)}`;

/** Partition of the full names of packages with a short name. */
export const toShortNamePartition = (ecosystem: Ecosystem, short: string): string =>
  `${partitionStarts.shortName}${ecosystem}#${short}`;

/** Returns the key of a use row. Neither versions nor projects have a `#`; refs are last, since they may have one. */
export const toUseKey = (id: PackageId, { project, ref }: RefId) => ({
  p: toUsePartition(id),
  k: `${canonicalizeVersion(id.ecosystem, id.version)}#${project}#${ref}`,
});

/** Returns what the sort key of a use row names. */
export const readUseKey = (k: string): RefId & Pick<PackageId, 'version'> => {
  const [version = '', project = '', ...ref] = k.split('#');
  return { version, project, ref: ref.join('#') };
};
