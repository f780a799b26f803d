import { toKey, type VersionId } from '../address/version-id.ts';
import { registryUrl } from '../api/client.ts';
import { announce } from '../state/announcements.ts';
import { createStore, useStore } from '../state/store.ts';
import type { SeenVersion } from './decision-requests.ts';

/** A selected version, with the evidence that its list showed. */
export interface BasketVersion extends SeenVersion {
  readonly key: string;
}

/** The selected versions of all lists, by their keys. */
type Basket = ReadonlyMap<string, BasketVersion>;

/** The most versions in the basket: ten requests of decisions. */
export const maxSelected = 1000;

/** Other registries may be at the same host. */
const storageKey = `registry-basket ${registryUrl}`;

const isVersion = (one: unknown): one is SeenVersion =>
  typeof one === 'object' &&
  one !== null &&
  'name' in one &&
  'issues' in one &&
  Array.isArray(one.issues);

/** What a tab stores of its basket. */
interface StoredBasket {
  /** The fingerprint of the token of the person who selected; null if nobody was signed in. */
  readonly owner: string | null;
  readonly versions: readonly SeenVersion[];
}

const isStored = (stored: unknown): stored is StoredBasket =>
  typeof stored === 'object' &&
  stored !== null &&
  'owner' in stored &&
  'versions' in stored &&
  Array.isArray(stored.versions);

/** Returns what the previous page of this tab stored. */
const loadBasket = (): StoredBasket => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    if (isStored(stored)) return { ...stored, versions: stored.versions.filter(isVersion) };
  } catch {
    // What is not readable is lost.
  }
  return { owner: null, versions: [] };
};

const loaded = loadBasket();
let { owner } = loaded;
const basket = createStore<Basket>(
  new Map(
    loaded.versions.map((one) => {
      const key = toKey(one);
      return [key, { ...one, key }];
    }),
  ),
);

/** Stores the basket for a reload of this tab. */
const storeBasket = (kept: Basket): void => {
  try {
    sessionStorage.removeItem(storageKey);
    const stored: StoredBasket = { owner, versions: [...kept.values()] };
    if (kept.size > 0) sessionStorage.setItem(storageKey, JSON.stringify(stored));
  } catch {
    // Without storage, the basket is lost with the page.
  }
};

const change = (next: (before: Basket) => Basket): void => {
  basket.set(next);
  storeBasket(basket.get());
};

/** Gives the basket to a person, by the fingerprint of the token. The basket of another person is emptied. */
export const setBasketOwner = (fingerprint: string): void => {
  if (owner === fingerprint) return;
  const isOthers = owner !== null && basket.get().size > 0;
  owner = fingerprint;
  if (isOthers) announce('The versions that somebody else selected are no longer selected');
  change((before) => (isOthers ? new Map() : before));
};

/** Returns the fields of a listed version that a decision needs. */
const toBasketVersion = (seen: BasketVersion): BasketVersion => {
  const { key, ecosystem, name, version, status, issues, evidence_version, recall } = seen;
  const evidence = { status, issues, evidence_version, ...(recall !== undefined && { recall }) };
  return { key, ecosystem, name, version, ...evidence };
};

/** Returns the basket. */
export const readBasket = (): Basket => basket.get();

/** Returns the basket, and renders again when it changes. */
export const useBasket = (): Basket => useStore(basket);

/** Adds versions to the basket, and says how many found no room. */
export const addToBasket = (versions: readonly BasketVersion[]): void => {
  const known = basket.get();
  const added = versions.filter(({ key }) => !known.has(key));
  const room = maxSelected - known.size;
  if (added.length > room) {
    const left = (added.length - room).toLocaleString('en');
    announce(`At most ${maxSelected.toLocaleString('en')} can be selected: ${left} left out`);
  }
  const taken = added.slice(0, room).map((one) => [one.key, toBasketVersion(one)] as const);
  if (taken.length > 0) change((before) => new Map([...before, ...taken]));
};

/** Removes versions from the basket. */
export const removeFromBasket = (keys: readonly string[]): void => {
  if (!keys.some((key) => basket.get().has(key))) return;
  const removed = new Set(keys);
  change((before) => new Map([...before].filter(([key]) => !removed.has(key))));
};

/** Removes versions whose decisions were made. Refused and unsent versions stay selected. */
export const removeDecided = (ids: readonly VersionId[]): void =>
  removeFromBasket(ids.map((id) => toKey(id)));

/** Empties the basket. */
export const clearBasket = (): void => change(() => new Map());
