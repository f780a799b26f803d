import type { ComponentChildren } from 'preact';
import type { VersionUses } from '../../../shared/api/schemas/project-uses.ts';
import { formatAddress, toKey, type VersionId } from '../../address/address.ts';
import { UsedByLabel } from '../../decisions/version-uses.tsx';
import { Line } from '../../parts/text.tsx';

interface VersionsListProps<V extends VersionId> {
  readonly versions: readonly V[];
  /** The projects that use the versions, by key; undefined until they are known. */
  readonly uses: ReadonlyMap<string, VersionUses> | undefined;
  readonly describe: (version: V) => ComponentChildren;
  /** The text of an empty list. */
  readonly empty: string;
  /** The link to the complete list, if there are more versions. */
  readonly more: ComponentChildren;
}

/** A list of versions with links to their evidence. */
export const VersionsList = <V extends VersionId>({
  versions,
  uses,
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
            {version.ecosystem} · {describe(version)}{' '}
            <UsedByLabel uses={uses?.get(toKey(version))} />
          </span>
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  );
};
