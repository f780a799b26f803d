import { compareIds, foldId, mergeInOrder } from './merge-vulnerabilities.ts';
import type { Vulnerability } from './vulnerability.ts';

/** Findings of one scan source. A trusted source alone can merge vulnerabilities that other sources list separately. */
export interface SourceFindings {
  readonly sourceId: string;
  readonly isTrusted: boolean;
  readonly vulnerabilities: readonly Vulnerability[];
}

/** Finding of one scan source in a merged vulnerability. */
export interface Member {
  readonly source: SourceFindings;
  readonly finding: Vulnerability;
  /** Its id and aliases, normalized for comparison. */
  readonly ids: ReadonlySet<string>;
}

/** Merged vulnerability with its findings, at most one for each scan source. */
export interface MergedVulnerability {
  readonly vulnerability: Vulnerability;
  readonly members: readonly Member[];
}

const toMember = (source: SourceFindings, finding: Vulnerability): Member => ({
  source,
  finding,
  ids: new Set([finding.id, ...finding.aliases].map(foldId)),
});

/** Findings merged so far. A finding of the trusted source is first. */
interface Group {
  readonly members: Member[];
  /** Normalized ids under which the sources list the vulnerability. */
  readonly firstIds: Set<string>;
  /** Number of findings that must share an id with a further finding. */
  voices: number;
  /** Finding for which `agreeing` was counted last. */
  countedFor: Member | undefined;
  /** Number of voices that share an id with that finding. */
  agreeing: number;
}

/** Finding that votes on further members. `countedFor` avoids a new set for each of them. */
interface Voice {
  readonly group: Group;
  countedFor: Member | undefined;
}

const makeGroup = (): Group => ({
  ...{ members: [], firstIds: new Set(), voices: 0 },
  ...{ countedFor: undefined, agreeing: 0 },
});

/**
 * True if a finding belongs to the group: it shares an id with the registry's own scanner or, without its finding, with
 * every member. Otherwise one upload could claim that two vulnerabilities are the same.
 */
const belongsTo = ({ members, voices, agreeing }: Group, { source }: Member): boolean =>
  // Findings are sorted by source.
  members.at(-1)?.source !== source && agreeing === voices;

/** Returns the group of a finding, preferably one with the same first id. */
const findGroup = (
  one: Member,
  voicesById: ReadonlyMap<string, readonly Voice[]>,
): Group | undefined => {
  const near: Group[] = [];
  // One step for each voice that has an id. A source lists each id once, so merging stays cheap for any upload.
  for (const id of one.ids) {
    for (const voice of voicesById.get(id) ?? []) {
      if (voice.countedFor === one) continue;
      voice.countedFor = one;
      const { group } = voice;
      if (group.countedFor !== one) {
        near.push(group);
        group.countedFor = one;
        group.agreeing = 0;
      }
      group.agreeing += 1;
    }
  }
  const candidates = near.filter((group) => belongsTo(group, one));
  const id = foldId(one.finding.id);
  return candidates.find(({ firstIds }) => firstIds.has(id)) ?? candidates[0];
};

/** Adds a member to a group. Beside the registry's own scanner, other members have no vote. */
const addMember = (group: Group, one: Member, voicesById: Map<string, Voice[]>): void => {
  group.members.push(one);
  group.firstIds.add(foldId(one.finding.id));
  const [first] = group.members;
  if (first !== one && first?.source.isTrusted) return;
  const voice: Voice = { group, countedFor: undefined };
  group.voices += 1;
  for (const id of one.ids) {
    const others = voicesById.get(id);
    if (others) others.push(voice);
    else voicesById.set(id, [voice]);
  }
};

/** Returns the number of members for each id. */
const countNames = (members: readonly Member[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { ids } of members) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
};

/**
 * Merges the members of a group. The id is known to the registry's own scanner or, without its finding, is the most
 * frequent id, so that no upload renames other findings.
 */
const mergeMembers = ({ members, firstIds }: Group): Vulnerability => {
  const counts = countNames(members);
  const compareNames = (one: string, other: string): number =>
    (counts.get(other) ?? 0) - (counts.get(one) ?? 0) ||
    Number(firstIds.has(other)) - Number(firstIds.has(one)) ||
    compareIds(one, other);
  const believed = [...members].sort(
    (one, other) =>
      Number(other.source.isTrusted) - Number(one.source.isTrusted) ||
      compareNames(foldId(one.finding.id), foldId(other.finding.id)) ||
      (one.source.sourceId < other.source.sourceId ? -1 : 1),
  );
  const [first] = believed;
  const isFirstTrusted = first?.source.isTrusted ?? false;
  const named = [...counts.keys()].reduce((one, other) =>
    compareNames(one, other) <= 0 ? one : other,
  );
  // The best-known id of the trusted finding under which a source lists the vulnerability.
  const [trusted] = [...firstIds].filter((id) => first?.ids.has(id)).sort(compareIds);
  return mergeInOrder(
    believed.map(({ finding }) => finding),
    { key: isFirstTrusted && trusted !== undefined ? trusted : named, isFirstTrusted },
  );
};

/**
 * Merges the findings of all scan sources into one entry for each vulnerability. Separate findings of one source stay
 * separate, and each finding is in exactly one entry. No source can hide or downgrade another's findings.
 */
export const mergeFindings = (sources: readonly SourceFindings[]): MergedVulnerability[] => {
  const groups: Group[] = [];
  const voicesById = new Map<string, Voice[]>();
  const trustedFirst = [...sources].sort(
    (one, other) => Number(other.isTrusted) - Number(one.isTrusted),
  );
  for (const source of trustedFirst) {
    for (const finding of source.vulnerabilities) {
      const member = toMember(source, finding);
      const known = findGroup(member, voicesById);
      const group = known ?? makeGroup();
      if (!known) groups.push(group);
      addMember(group, member, voicesById);
    }
  }
  return groups.map((group) => ({ vulnerability: mergeMembers(group), members: group.members }));
};
