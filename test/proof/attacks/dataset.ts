/** Real attacks and real false alarms of the feed, as data. README.md has the meaning of each field. */
import { readFileSync } from 'node:fs';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

/** Interval of a record, as the feed has it. */
export interface DataRange {
  readonly introduced: string;
  readonly fixed?: string;
  readonly last_affected?: string;
}

type Time = string | null;

/** Malicious version. `version` is null if no source lists the numbers. */
interface DataVersion {
  readonly version: string | null;
  readonly published_at: Time;
  readonly published_not_before?: Time;
  readonly published_not_after?: Time;
  readonly removed_at: Time;
  readonly removed_not_before?: Time;
  readonly removed_not_after?: Time;
  readonly removed_means?: 'deprecated';
}

interface DataRecord {
  readonly id: string;
  readonly package: string;
  readonly first_import_time: Time;
  readonly first_listed_source_import?: Time;
  readonly published_at: Time;
  readonly versions: readonly string[] | null;
  readonly ranges: readonly (DataRange & { readonly package?: string })[] | null;
}

/** What a malicious version changed, compared with the last good one. Null, or a missing member: no source read says it. */
export interface AttackChanges {
  readonly new_dependencies:
    | readonly { readonly name: string; readonly first_published_at: Time }[]
    | null;
  readonly install_scripts_added: boolean | null;
  /** True if a dependency that is new runs scripts at installation. */
  readonly install_script_in_new_dependency?: boolean;
  readonly publisher_changed: boolean | null;
  readonly provenance_lost: boolean | null;
  readonly repository_changed: boolean | null;
}

export interface Attack {
  readonly id: string;
  readonly title: string;
  readonly ecosystem: Ecosystem;
  readonly exposure_hours: number | null;
  readonly exposure_hours_max?: number;
  readonly packages: readonly {
    readonly name: string;
    /** Null for a new package. Its version is null if no source gives the number. */
    readonly last_good: { readonly version: string | null; readonly published_at: Time } | null;
    readonly versions: readonly DataVersion[];
  }[];
  readonly records: readonly DataRecord[];
  readonly changes: AttackChanges;
}

export interface FalseAlarm {
  readonly id: string;
  readonly ecosystem: Ecosystem;
  readonly package: string;
  readonly record: string | null;
  readonly versions: readonly string[] | null;
  readonly ranges: readonly DataRange[] | null;
  readonly published_at: Time;
  readonly first_import_time: Time;
  readonly withdrawn_in_feed: Time;
  readonly corrected_not_before: Time;
  readonly clean_versions: readonly {
    readonly version: string | null;
    readonly published_at: Time;
  }[];
}

const readData = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

export const attacks = readData('./attacks.json') as readonly Attack[];
export const falseAlarms = readData('./false-alarms.json') as readonly FalseAlarm[];

/** Malicious version with the times of its replay, in milliseconds since 1970. */
export interface PlannedVersion {
  readonly name: string;
  readonly version: string;
  readonly publishedAt: number;
  /** False if no source gives the time of the publication, or an earliest time: the replay then takes the latest one. */
  readonly isPublicationKnown: boolean;
  /** Absent: no source read gives the time, or a latest time. */
  readonly removedAt?: number;
  readonly deprecatedAt?: number;
}

/** Content of a record of the feed from a time on. */
export interface PlannedRecord {
  readonly id: string;
  readonly name: string;
  readonly importedAt: number;
  readonly versions: readonly string[];
  readonly ranges: readonly DataRange[];
  readonly withdrawn: boolean;
}

/** Attack with the times of its replay. Without versions, it cannot be replayed. */
export interface PlannedAttack {
  readonly attack: Attack;
  readonly versions: readonly PlannedVersion[];
  readonly records: readonly PlannedRecord[];
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const toMs = (time: Time | undefined): number | undefined =>
  time ? Date.parse(time) : undefined;

/** The latest time at which a record can have been in the feed first, as far as a source gives one. */
const planRecords = ({ records, packages }: Attack): PlannedRecord[] =>
  records.flatMap((record) => {
    const { id, first_import_time, first_listed_source_import, published_at } = record;
    const importedAt = toMs(first_import_time ?? first_listed_source_import ?? published_at);
    const ranges = record.ranges ?? [];
    const names = new Set([record.package, ...ranges.flatMap((range) => range.package ?? [])]);
    if (importedAt === undefined) return [];
    return [...names].map((name) => {
      const own = ranges.filter((range) => (range.package ?? record.package) === name);
      // A record of a wave names its versions in the feed; the data have the times alone.
      const named = packages.find((one) => one.name === name)?.versions ?? [];
      const isBare = record.versions === null && own.length === 0;
      const versions = isBare ? named.flatMap(({ version }) => version ?? []) : record.versions;
      return { id, name, importedAt, versions: versions ?? [], ranges: own, withdrawn: false };
    });
  });

/** Minimum time before its record at which a version of unknown publication is published: teams then have it before the record. */
const assumedLeadMs = 2 * hourMs;

const planPublication = (
  version: DataVersion,
  { exposure_hours_max: most }: Attack,
  record: PlannedRecord | undefined,
): Pick<PlannedVersion, 'publishedAt' | 'isPublicationKnown'> | undefined => {
  const { published_at, published_not_before, published_not_after, removed_at } = version;
  const earliest =
    toMs(published_at ?? published_not_before) ??
    (removed_at && most !== undefined ? Date.parse(removed_at) - most * hourMs : undefined);
  if (earliest !== undefined) return { publishedAt: earliest, isPublicationKnown: true };
  // Without a record, nothing can be measured from an unknown start.
  if (!record) return undefined;
  const latest = toMs(published_not_after) ?? record.importedAt;
  const publishedAt = Math.min(latest, record.importedAt - assumedLeadMs);
  return { publishedAt, isPublicationKnown: false };
};

const planRemoval = (
  version: DataVersion,
  publishedAt: number,
  { exposure_hours }: Attack,
): Pick<PlannedVersion, 'removedAt' | 'deprecatedAt'> => {
  const { removed_at, removed_not_after, removed_means } = version;
  const at =
    toMs(removed_at ?? removed_not_after) ??
    (exposure_hours === null ? undefined : publishedAt + exposure_hours * hourMs);
  if (at === undefined) return {};
  return removed_means === 'deprecated' ? { deprecatedAt: at } : { removedAt: at };
};

/** Stands for a version whose number no source gives. */
export const anyVersion = '0.1.0';

/** Returns the times of a replay. Takes the worst bound for a missing time. */
export const planAttack = (attack: Attack): PlannedAttack => {
  const records = planRecords(attack);
  const versions = attack.packages.flatMap(({ name, versions: all }) => {
    const record = records.find((one) => one.name === name);
    return all.flatMap((one) => {
      const publication = planPublication(one, attack, record);
      if (!publication || (one.version === null && !record)) return [];
      const removal = planRemoval(one, publication.publishedAt, attack);
      return [{ name, version: one.version ?? anyVersion, ...publication, ...removal }];
    });
  });
  return { attack, versions, records };
};
