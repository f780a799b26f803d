/** Attributes by which versions of a package are compared, in the order in which changes are shown. */
export const changeFields = [
  'install_scripts',
  'entrypoint',
  'command',
  'user',
  'dependencies',
  'publisher',
  'trusted_publisher',
  'maintainers',
  'provenance',
  'provenance_repository',
  'provenance_workflow',
  'repository',
  'homepage',
  'license',
  'plugins',
  'distributions',
  'platforms',
  'bin',
  'engines',
  'requires_python',
  'labels',
  'size',
  'file_count',
] as const;
export type ChangeField = (typeof changeFields)[number];

/** Named part of an attribute, such as one dependency with its range. */
export interface Entry {
  /** Text for people, possibly shortened; empty if the name says all. */
  readonly text: string;
  /** Text to compare: the whole one, or its digest. Undefined if it is unknown. */
  readonly compared: string | undefined;
}

/** An attribute with one value (null: the version has none), or with named entries. Undefined means unknown. */
export type Attribute =
  | { readonly field: ChangeField; readonly value: string | null | undefined }
  | { readonly field: ChangeField; readonly entries: ReadonlyMap<string, Entry> | undefined };

/** A version of a package as far as it can be compared: the attributes that its ecosystem has. */
export type Release = readonly Attribute[];

/** Returns the entry of a text that is shown and compared whole. */
export const toEntry = (text: string): Entry => ({ text, compared: text });
