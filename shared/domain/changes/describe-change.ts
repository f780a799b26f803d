import { describeDuration } from '../../util/duration.ts';
import type { Change } from './compare-releases.ts';
import type { RegistryStatus } from './registry-status.ts';
import type { ChangeField } from './release.ts';

/** Change with what is known of an added dependency. */
interface LookedUpChange extends Change {
  /** Null for anything but an added dependency. */
  readonly registry_status: RegistryStatus | null;
  /** ISO 8601. */
  readonly first_published_at: string | null;
}

/** Parts of a change in words. Names and values are untrusted text. */
interface ChangeDescription {
  /** `+`, `-` or `~`; `?` for a kind that this version of the program does not know. */
  readonly sign: string;
  /** Kind of the change, such as `added`. */
  readonly kind: string;
  /** Changed field, such as `dependency`. */
  readonly field: string;
  readonly name: string | null;
  /** Earlier and new value, without a missing one. */
  readonly values: readonly string[];
  /** Notes on an added dependency, such as `not in the registry`. */
  readonly notes: readonly string[];
  /** First publication of an added dependency, ISO 8601; null if it is unknown. */
  readonly firstPublishedAt: string | null;
}

/**
 * Words are looked up in maps and fall back to the word of the registry, because a newer registry may have others. An object
 * would also find `constructor`.
 */
const toWords = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words));

const signs = toWords({ added: '+', removed: '-', changed: '~' } satisfies Record<
  Change['change'],
  string
>);

/** Names of one entry of fields with several, and of fields whose code is no English. */
const fieldNames = toWords({
  install_scripts: 'install script',
  dependencies: 'dependency',
  maintainers: 'maintainer',
  plugins: 'plugin',
  distributions: 'distribution',
  platforms: 'platform',
  bin: 'command',
  engines: 'engine',
} satisfies Partial<Record<ChangeField, string>>);

const registryNotes = toWords({
  approved: 'approved',
  out_of_range: 'approved versions are out of range',
  pending: 'pending',
  rejected: 'rejected',
  not_in_registry: 'not in the registry',
  unknown: 'status in the registry not checked',
} satisfies Record<RegistryStatus, string>);

/** Statuses of dependencies whose first publication nobody requests. */
const withoutAge: readonly string[] = ['approved', 'out_of_range', 'unknown'];

const toPlainWords = (code: string): string => code.replaceAll('_', ' ');

const formatValue = (field: string, text: string): string =>
  field === 'size' && /^[0-9]{1,15}$/.test(text)
    ? `${Number(text).toLocaleString('en')} bytes`
    : text;

const listNotes = ({ registry_status, first_published_at }: LookedUpChange): string[] => {
  if (registry_status === null) return [];
  const note = registryNotes.get(registry_status) ?? toPlainWords(registry_status);
  const isAgeMissing = first_published_at === null && !withoutAge.includes(registry_status);
  return isAgeMissing ? [note, 'age unknown'] : [note];
};

/** Describes a change for people. Unknown fields, kinds and statuses of a newer registry become their own words. */
export const describeChange = (change: LookedUpChange): ChangeDescription => {
  const { field, name, before, after, first_published_at } = change;
  const kind = toPlainWords(change.change);
  const sign = signs.get(change.change);
  const fieldName = fieldNames.get(field) ?? toPlainWords(field);
  return {
    ...{ sign: sign ?? '?', kind },
    ...{ field: sign ? fieldName : `${kind} ${fieldName}`, name },
    values: [before, after].flatMap((value) => (value === null ? [] : formatValue(field, value))),
    ...{ notes: listNotes(change), firstPublishedAt: first_published_at },
  };
};

/** Limits of a first view: many changes of one field do not hide the others. */
const mostOfField = 3;
const mostAtFirst = 10;

/** Returns the changes of a first view: at most three of each field, and ten in total. */
export const listFirstChanges = <T extends Pick<Change, 'field'>>(changes: readonly T[]): T[] => {
  const counts = new Map<string, number>();
  const first = changes.filter(({ field }) => {
    const count = (counts.get(field) ?? 0) + 1;
    counts.set(field, count);
    return count <= mostOfField;
  });
  return first.slice(0, mostAtFirst);
};

/** Earlier version of a comparison; its status is null if the registry does not have it. */
interface Since {
  readonly since: string;
  readonly since_status: string | null;
}

/** Returns the status of the earlier version in words. */
export const describeSinceStatus = ({ since_status }: Pick<Since, 'since_status'>): string =>
  since_status ?? 'not in the registry';

/** Returns a caution for a comparison with a version that is not approved; null for an approved one. */
export const cautionSince = ({ since, since_status }: Since): string | null =>
  since_status === 'approved'
    ? null
    : `${since} is not approved: nobody may have reviewed what both versions contain.`;

interface Published {
  readonly published_at: string | null;
  readonly previous: { readonly version: string; readonly published_at: string } | null;
}

/** Describes how long after the version before it a version was published, such as `4 days`; null if that is unknown. */
export const describeInterval = ({ published_at, previous }: Published): string | null => {
  const ms = Date.parse(published_at ?? '') - Date.parse(previous?.published_at ?? '');
  return ms >= 0 ? describeDuration(ms) : null;
};

/** Sentence about a version without an earlier one. */
export const noEarlierVersion = 'The registry has no earlier version to compare with.';

/** Sentence about a comparison without a change. */
export const noKnownChange = 'No change in what is known.';

/** Names the fields that could not be compared in one sentence; null if there are none. */
export const describeUnknown = (unknown: readonly string[]): string | null =>
  unknown.length === 0 ? null : `Could not be compared: ${unknown.map(toPlainWords).join(', ')}.`;
