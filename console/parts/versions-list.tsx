import type { ComponentChildren } from 'preact';
import { formatAddress } from '../address/address.ts';
import { toKey, type VersionId } from '../address/version-id.ts';
import { Line } from './text.tsx';

interface VersionsListProps<V extends VersionId> {
  readonly versions: readonly V[];
  readonly describe: (version: V) => ComponentChildren;
  /** The text of an empty list. */
  readonly empty: string;
  /** The link to the complete list, if there are more versions. */
  readonly more: ComponentChildren;
}

/** A list of versions with links to their evidence. */
export const VersionsList = <V extends VersionId>({
  versions,
  describe,
  empty,
  more,
}: VersionsListProps<V>) => {
  if (versions.length === 0) return <p class="muted">{empty}</p>;
  return (
    <ul class="rows">
      {versions.map((version) => (
        <li key={toKey(version)}>
          <a href={formatAddress({ view: 'packages', id: version })}>
            <Line text={version.name} /> <bdi class="version">{version.version}</bdi>
          </a>{' '}
          <span class="muted">
            {version.ecosystem} · {describe(version)}
          </span>
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  );
};
