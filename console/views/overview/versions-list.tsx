import type { ComponentChildren } from 'preact';
import { formatAddress, toKey, type VersionId } from '../../address/address.ts';
import { Line } from '../../parts/text.tsx';

interface VersionsListProps<V extends VersionId> {
  readonly versions: readonly V[];
  readonly tell: (version: V) => ComponentChildren;
  /** What stands there where there are none. */
  readonly nothing: string;
  /** Where all of them are, if there are more. */
  readonly more: ComponentChildren;
}

/** Some versions, each a way to all that is known of it. */
export const VersionsList = <V extends VersionId>({
  versions,
  tell,
  nothing,
  more,
}: VersionsListProps<V>) => {
  if (versions.length === 0) return <p class="muted">{nothing}</p>;
  return (
    <ul class="rows">
      {versions.map((version) => (
        <li key={toKey(version)}>
          <a href={formatAddress({ view: 'packages', id: version })}>
            <Line text={version.name} /> <bdi class="version">{version.version}</bdi>
          </a>{' '}
          <span class="muted">{version.ecosystem}</span> {tell(version)}
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  );
};
