import { compareIds, foldId, mergeInOrder } from './merge-vulnerabilities.ts';
import type { Vulnerability } from './vulnerability.ts';

/** What one slot found, and whether its word is enough to connect what others tell apart. */
export interface SlotFindings {
  readonly slotId: string;
  readonly isTrusted: boolean;
  readonly vulnerabilities: readonly Vulnerability[];
}

/** What one slot tells of a vulnerability. */
export interface Member {
  readonly slot: SlotFindings;
  readonly finding: Vulnerability;
  /** Every id that it names, folded. */
  readonly ids: ReadonlySet<string>;
}

/** One vulnerability, and who tells of it: at most one member of each slot. */
export interface United {
  readonly vulnerability: Vulnerability;
  readonly members: readonly Member[];
}

const toMember = (slot: SlotFindings, finding: Vulnerability): Member => ({
  slot,
  finding,
  ids: new Set([finding.id, ...finding.aliases].map(foldId)),
});

/** Members of one vulnerability so far: one whose slot is trusted is the first. */
interface Group {
  readonly members: Member[];
  /** By which each of them found it, folded. */
  readonly firstIds: Set<string>;
  /** How many of them decide what else belongs to it. */
  voices: number;
  /** For which finding `agreeing` was counted last. */
  asked: Member | undefined;
  /** How many voices name one of its ids. */
  agreeing: number;
}

/** What decides, and for which finding it was counted last: so that nothing is made anew for each of them. */
interface Voice {
  readonly group: Group;
  asked: Member | undefined;
}

const makeGroup = (): Group => ({
  ...{ members: [], firstIds: new Set(), voices: 0 },
  ...{ asked: undefined, agreeing: 0 },
});

/**
 * Whether a finding is of the vulnerability that others tell of: the registry's own scanner says so or, where it is
 * silent, each of them does. One alone could claim that any two vulnerabilities of others are the same.
 */
const belongsTo = ({ members, voices, agreeing }: Group, { slot }: Member): boolean =>
  // Slots come one after the other.
  members.at(-1)?.slot !== slot && agreeing === voices;

/** Where a finding belongs: first of all where it is told of under the same first id. */
const findGroup = (
  one: Member,
  voicesById: ReadonlyMap<string, readonly Voice[]>,
): Group | undefined => {
  const near: Group[] = [];
  // One step for each that names an id: a slot names it once, so that what anybody uploads stays cheap to unite.
  for (const id of one.ids) {
    for (const voice of voicesById.get(id) ?? []) {
      if (voice.asked === one) continue;
      voice.asked = one;
      const { group } = voice;
      if (group.asked !== one) {
        near.push(group);
        group.asked = one;
        group.agreeing = 0;
      }
      group.agreeing += 1;
    }
  }
  const candidates = near.filter((group) => belongsTo(group, one));
  const id = foldId(one.finding.id);
  return candidates.find(({ firstIds }) => firstIds.has(id)) ?? candidates[0];
};

/** Adds a member, which has a voice unless the registry's own scanner speaks for all. */
const addMember = (group: Group, one: Member, voicesById: Map<string, Voice[]>): void => {
  group.members.push(one);
  group.firstIds.add(foldId(one.finding.id));
  const [first] = group.members;
  if (first !== one && first?.slot.isTrusted) return;
  const voice: Voice = { group, asked: undefined };
  group.voices += 1;
  for (const id of one.ids) {
    const others = voicesById.get(id);
    if (others) others.push(voice);
    else voicesById.set(id, [voice]);
  }
};

/** How many members name each id. */
const countNames = (members: readonly Member[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { ids } of members) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
};

/**
 * What members tell together, so that no upload renames what others found: by an id that the registry's own scanner
 * knows or, where that is silent, as most do.
 */
const mergeMembers = ({ members, firstIds }: Group): Vulnerability => {
  const counts = countNames(members);
  const compareNames = (one: string, other: string): number =>
    (counts.get(other) ?? 0) - (counts.get(one) ?? 0) ||
    Number(firstIds.has(other)) - Number(firstIds.has(one)) ||
    compareIds(one, other);
  const believed = [...members].sort(
    (one, other) =>
      Number(other.slot.isTrusted) - Number(one.slot.isTrusted) ||
      compareNames(foldId(one.finding.id), foldId(other.finding.id)) ||
      (one.slot.slotId < other.slot.slotId ? -1 : 1),
  );
  const [first] = believed;
  const isFirstTrusted = first?.slot.isTrusted ?? false;
  const named = [...counts.keys()].reduce((one, other) =>
    compareNames(one, other) <= 0 ? one : other,
  );
  // Of the ids that the registry's own scanner knows, the best known under which somebody found it.
  const [trusted] = [...firstIds].filter((id) => first?.ids.has(id)).sort(compareIds);
  return mergeInOrder(
    believed.map(({ finding }) => finding),
    { key: isFirstTrusted && trusted !== undefined ? trusted : named, isFirstTrusted },
  );
};

/**
 * One entry for each vulnerability that any slot tells of, under whichever id. What a slot tells apart stays apart, and
 * what it found is in exactly one entry, whatever the others claim: nothing disappears, nor becomes milder.
 */
export const uniteFindings = (slots: readonly SlotFindings[]): United[] => {
  const groups: Group[] = [];
  const voicesById = new Map<string, Voice[]>();
  const trustedFirst = [...slots].sort(
    (one, other) => Number(other.isTrusted) - Number(one.isTrusted),
  );
  for (const slot of trustedFirst) {
    for (const finding of slot.vulnerabilities) {
      const member = toMember(slot, finding);
      const known = findGroup(member, voicesById);
      const group = known ?? makeGroup();
      if (!known) groups.push(group);
      addMember(group, member, voicesById);
    }
  }
  return groups.map((group) => ({ vulnerability: mergeMembers(group), members: group.members }));
};
