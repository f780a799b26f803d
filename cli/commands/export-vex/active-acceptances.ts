import type { Acceptance } from '../../../shared/api/schemas/acceptance.ts';
import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';
import { toScopePrefix } from '../../../shared/domain/vulnerabilities/acceptance.ts';
import { foldId } from '../../../shared/domain/vulnerabilities/merge-vulnerabilities.ts';

/** An acceptance without its end, and without the person: a document is for other organisations. */
export type ActiveAcceptance = Omit<Acceptance, 'ended' | 'by'>;

const toKey = (id: string, number: number | string): string => `${foldId(id)} ${number}`;

const toAcceptance = (event: RegistryEvent): ActiveAcceptance | undefined => {
  const { vulnerability, acceptance, expires_at, ecosystem, name, version } = event;
  if (vulnerability === null || acceptance === null || expires_at === null) return undefined;
  return {
    ...{ id: foldId(vulnerability), number: Number(acceptance), reason: event.reason ?? '' },
    ...{ expires_at, ecosystem, name, version },
    at: event.at,
  };
};

/** Acceptances by their id and number, as events show them. */
export interface AcceptanceLedger {
  readonly active: Map<string, ActiveAcceptance>;
  readonly ended: Set<string>;
}

export const openLedger = (): AcceptanceLedger => ({ active: new Map(), ended: new Set() });

/** Adds an event to a ledger. An acceptance and its end can come in any order. */
export const addEvent = ({ active, ended }: AcceptanceLedger, event: RegistryEvent): void => {
  const { type, vulnerability, acceptance } = event;
  if (vulnerability === null || acceptance === null) return;
  const key = toKey(vulnerability, acceptance);
  if (type === 'acceptance.ended') {
    ended.add(key);
    active.delete(key);
  }
  const made = type === 'vulnerability.accepted' ? toAcceptance(event) : undefined;
  if (made && !ended.has(key)) active.set(key, made);
};

/**
 * Adds the acceptances of an id as the registry shows them now. They are newer than the events. A long list is cut, so the
 * acceptances of the events stay.
 */
export const addShown = (
  { active, ended }: AcceptanceLedger,
  shown: readonly Acceptance[],
): void => {
  for (const { ended: end, by: _, ...acceptance } of shown) {
    const key = toKey(acceptance.id, acceptance.number);
    if (end) {
      ended.add(key);
      active.delete(key);
    } else active.set(key, acceptance);
  }
};

/** Returns the acceptances in force: for each vulnerability and scope the one that expires last. */
export const listInForce = ({ active }: AcceptanceLedger, now: Date): ActiveAcceptance[] => {
  const longest = new Map<string, ActiveAcceptance>();
  for (const acceptance of active.values()) {
    const { id, expires_at, version } = acceptance;
    if (Date.parse(expires_at) <= now.getTime()) continue;
    const key = JSON.stringify([foldId(id), toScopePrefix(acceptance), version === null]);
    const known = longest.get(key);
    if (!known || Date.parse(known.expires_at) < Date.parse(expires_at)) {
      longest.set(key, acceptance);
    }
  }
  return [...longest.values()];
};
