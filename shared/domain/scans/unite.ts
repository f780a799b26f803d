import { foldId, mergeGroup } from './merge.ts';
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

const shareId = (one: Member, other: Member): boolean =>
  [...one.ids].some((id) => other.ids.has(id));

/**
 * Whether a finding is of the vulnerability that others tell of: the registry's own scanner says so or, where it is
 * silent, each of them does. One alone could claim that any two vulnerabilities of others are the same.
 */
const belongsTo = (members: readonly Member[], one: Member): boolean => {
  if (members.some(({ slot }) => slot === one.slot)) return false;
  const judge = members.find(({ slot }) => slot.isTrusted);
  return judge ? shareId(judge, one) : members.every((member) => shareId(member, one));
};

/** Whether it says so under the same first id. */
const isNamesake = (members: readonly Member[], { finding }: Member): boolean =>
  members.some((member) => foldId(member.finding.id) === foldId(finding.id));

const toMember = (slot: SlotFindings, finding: Vulnerability): Member => ({
  slot,
  finding,
  ids: new Set([finding.id, ...finding.aliases].map(foldId)),
});

/**
 * One entry for each vulnerability that any slot tells of, under whichever id. What a slot tells apart stays apart, and
 * what it found is in exactly one entry, whatever the others claim: nothing disappears, nor becomes milder.
 */
export const uniteFindings = (slots: readonly SlotFindings[]): United[] => {
  const groups: Member[][] = [];
  const groupsById = new Map<string, Set<Member[]>>();
  const trustedFirst = [...slots].sort(
    (one, other) => Number(other.isTrusted) - Number(one.isTrusted),
  );
  for (const slot of trustedFirst) {
    for (const finding of slot.vulnerabilities) {
      const member = toMember(slot, finding);
      const near = new Set([...member.ids].flatMap((id) => [...(groupsById.get(id) ?? [])]));
      const candidates = [...near].filter((members) => belongsTo(members, member));
      const group =
        candidates.find((members) => isNamesake(members, member)) ?? candidates[0] ?? [];
      if (group.length === 0) groups.push(group);
      group.push(member);
      for (const id of member.ids) {
        const known = groupsById.get(id);
        if (known) known.add(group);
        else groupsById.set(id, new Set([group]));
      }
    }
  }
  return groups.map((members) => ({
    vulnerability: mergeGroup(members.map(({ finding }) => finding)),
    members,
  }));
};
