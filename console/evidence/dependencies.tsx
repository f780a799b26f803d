import { useState } from 'preact/hooks';
import type { DependencyList } from '../../shared/api/schemas/dependency-list.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import { formatAddress } from '../address/address.ts';
import { toKey, type VersionId } from '../address/version-id.ts';
import { useQuery } from '../api/use-query.ts';
import { ErrorMessage, Skeleton } from '../parts/placeholders.tsx';
import { StatusIcon, StatusLabel } from '../parts/status-marks.tsx';
import { Line } from '../parts/text.tsx';
import { useStale } from '../parts/use-stale.ts';
import { useSession } from '../session/session.ts';

type Dependency = NonNullable<DependencyList['dependencies']>[number];

/** The number of dependencies before somebody opens all. */
const shownFirst = 10;

const words: Readonly<Record<Exclude<Dependency['status'], Status>, string>> = {
  out_of_range: 'approved versions are out of range',
  not_in_registry: 'not in the registry',
  unknown: 'not checked',
};

const toStatus = (status: Dependency['status']): Status | undefined =>
  (['approved', 'pending', 'rejected'] as const).find((one) => one === status);

const Mark = ({ status }: Pick<Dependency, 'status'>) => {
  const known = toStatus(status);
  if (known) return <StatusLabel status={known} />;
  return (
    <span class="muted">
      <StatusIcon tone={status === 'unknown' ? 'idle' : 'warn'} />{' '}
      {words[status as keyof typeof words] ?? status}
    </span>
  );
};

interface EntryProps {
  readonly ecosystem: VersionId['ecosystem'];
  readonly dependency: Dependency;
}

const Entry = ({ ecosystem, dependency: { name, range, status, version } }: EntryProps) => (
  <li>
    <Line text={name} /> <Line class="version" text={range} /> <Mark status={status} />
    {version !== null && (
      <>
        {' '}
        <a
          href={formatAddress({
            view: 'packages',
            id: { ecosystem, name, version },
            query: { search: name.slice(0, 100) },
          })}
        >
          <Line class="version" text={version} />
        </a>
      </>
    )}
  </li>
);

/** Dependencies without an approved version first: these are what a reviewer looks for. */
const sortUnmetFirst = (dependencies: readonly Dependency[]): readonly Dependency[] =>
  dependencies.toSorted(
    (one, other) => Number(one.status === 'approved') - Number(other.status === 'approved'),
  );

interface DependenciesProps {
  readonly id: VersionId;
  /** Changes whenever the dependencies may have changed. */
  readonly news: string;
}

/** The mandatory dependencies of a version, with their statuses in the registry. */
export const Dependencies = ({ id, news }: DependenciesProps) => {
  const { api } = useSession();
  const [isExpanded, setExpanded] = useState(false);
  const { ecosystem, name, version } = id;
  const answered = useQuery(`${toKey(id)} ${news}`, (signal) =>
    api.listDependencies({ path: { name }, query: { ecosystem, version } }, { signal }),
  );
  const { error, reload } = answered;
  const value = useStale(answered.value);
  if (error && !value) return <ErrorMessage error={error} retry={reload} />;
  if (!value) return <Skeleton lines={2} label="Loading the dependencies" />;
  const { dependencies, total, checked } = value;
  if (dependencies === null) return <p class="muted">The upstream metadata is not known yet.</p>;
  if (dependencies.length === 0) return <p class="muted">No mandatory dependencies.</p>;
  const sorted = sortUnmetFirst(dependencies);
  const shown = isExpanded ? sorted : sorted.slice(0, shownFirst);
  const approved = dependencies.filter(({ status }) => status === 'approved').length;
  return (
    <>
      <p>
        {total} {total === 1 ? 'dependency' : 'dependencies'}, {approved} approved
        {checked < total && `, ${total - checked} not checked`}
      </p>
      <ul class="versions">
        {shown.map((dependency, at) => (
          // Publishers may declare one name twice.
          <Entry key={`${dependency.name} ${at}`} {...{ ecosystem, dependency }} />
        ))}
      </ul>
      {sorted.length > shownFirst && (
        <button type="button" class="plain" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? 'Show fewer dependencies' : `Show all ${sorted.length} dependencies`}
        </button>
      )}
      {total > dependencies.length && (
        <p class="muted">The first {dependencies.length} are listed.</p>
      )}
    </>
  );
};
