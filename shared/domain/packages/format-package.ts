/** A package or a version of it; absent or null parts are not shown. */
export interface ShownPackage {
  readonly ecosystem?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly version?: string | null | undefined;
}

/** Returns a package version as messages name it and commands take it: `npm:lodash@4.17.21`. */
export const formatPackage = ({ ecosystem, name, version }: ShownPackage): string =>
  `${ecosystem ? `${ecosystem}:` : ''}${name ?? ''}${version ? `@${version}` : ''}`;
