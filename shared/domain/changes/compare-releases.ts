import { dropHiddenCharacters } from '../../util/characters.ts';
import { cleanLine } from '../vulnerabilities/finding.ts';
import {
  type Attribute,
  type ChangeField,
  changeFields,
  type Entry,
  type Release,
} from './release.ts';

export const changeKinds = ['added', 'removed', 'changed'] as const;

/** One difference between two versions of a package. */
export interface Change {
  readonly field: ChangeField;
  readonly change: (typeof changeKinds)[number];
  /** Name of the dependency, script, account or other entry; null for an attribute with one value. */
  readonly name: string | null;
  /** Value in the earlier version; null if it had none, or if the name says all. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Differences between two versions. An attribute that is in neither list is equal. */
export interface ReleaseChanges {
  readonly changes: readonly Change[];
  /** Attributes that could not be compared, at least in part, since one version's value is unknown. */
  readonly unknown: readonly ChangeField[];
}

/** Maximum length of a name or value in characters. Install scripts are the longest. */
const longestText = 2_000;

/** Returns a publisher's text on one line, without invisible characters; null for an empty one. */
const show = (text: string | undefined): string | null =>
  cleanLine(dropHiddenCharacters((text ?? '').slice(0, longestText)), longestText) || null;

const nothing: ReleaseChanges = { changes: [], unknown: [] };

const toUnknown = (field: ChangeField): ReleaseChanges => ({ changes: [], unknown: [field] });

const compareValues = (
  field: ChangeField,
  before: string | null | undefined,
  after: string | null | undefined,
): ReleaseChanges => {
  if (before === undefined || after === undefined) return toUnknown(field);
  if (before === after) return nothing;
  const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const values = { before: show(before ?? undefined), after: show(after ?? undefined) };
  return { changes: [{ field, change, name: null, ...values }], unknown: [] };
};

const compareEntry = (
  field: ChangeField,
  name: string,
  { before, after }: { readonly before: Entry | undefined; readonly after: Entry | undefined },
): ReleaseChanges => {
  const change = before ? (after ? 'changed' : 'removed') : 'added';
  if (change === 'changed') {
    if (before?.compared === undefined || after?.compared === undefined) return toUnknown(field);
    if (before.compared === after.compared) return nothing;
  }
  const values = { before: show(before?.text), after: show(after?.text) };
  return { changes: [{ field, change, name: show(name), ...values }], unknown: [] };
};

const join = (parts: readonly ReleaseChanges[]): ReleaseChanges => ({
  changes: parts.flatMap(({ changes }) => changes),
  unknown: [...new Set(parts.flatMap(({ unknown }) => unknown))],
});

const compareEntries = (
  field: ChangeField,
  before: ReadonlyMap<string, Entry> | undefined,
  after: ReadonlyMap<string, Entry> | undefined,
): ReleaseChanges => {
  if (!before || !after) return toUnknown(field);
  // New entries come first: they are what a reviewer looks for.
  const added = [...after.keys()].filter((name) => !before.has(name));
  const names = [...added, ...before.keys()];
  return join(
    names.map((name) =>
      compareEntry(field, name, { before: before.get(name), after: after.get(name) }),
    ),
  );
};

const compareAttribute = (before: Attribute, after: Attribute): ReleaseChanges => {
  if ('value' in after) {
    return compareValues(after.field, 'value' in before ? before.value : undefined, after.value);
  }
  const entries = 'entries' in before ? before.entries : undefined;
  return compareEntries(after.field, entries, after.entries);
};

/**
 * Compares the attributes that two versions of a package have both, in the order of `changeFields`. An attribute whose value
 * is unknown in one of them is `unknown`, and never equal.
 */
export const compareReleases = (before: Release, after: Release): ReleaseChanges =>
  join(
    changeFields.flatMap((field) => {
      const [earlier, own] = [before, after].map((release) =>
        release.find((attribute) => attribute.field === field),
      );
      return earlier && own ? compareAttribute(earlier, own) : [];
    }),
  );
