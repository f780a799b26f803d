import type { ProjectDetail as Detail } from '../../../shared/api/schemas/project.ts';
import { formatAddress } from '../../address/address.ts';
import { toKey } from '../../address/version-id.ts';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { attentionLabels, StatusIcon, StatusLabel } from '../../parts/status-marks.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSession } from '../../session/session.ts';

const pageSize = 100;

type UsedVersion = Detail['versions'][number];

/** The status of a used version now. */
const VersionStatus = ({ status, own_package }: UsedVersion) => {
  if (own_package) return <span class="muted">own package</span>;
  if (status === 'unknown') {
    return (
      <span class="status-label warn">
        <StatusIcon tone="warn" />
        not in the registry
      </span>
    );
  }
  return <StatusLabel status={status} />;
};

const VersionRow = ({ version }: { readonly version: UsedVersion }) => {
  const { ecosystem, name, direct, files, attention, status } = version;
  const title = (
    <>
      <Line text={name} /> <Line class="version" text={version.version} />
    </>
  );
  return (
    <li>
      {status === 'unknown' ? (
        title
      ) : (
        <a href={formatAddress({ view: 'packages', id: version })}>{title}</a>
      )}{' '}
      <VersionStatus {...version} />
      {attention.length > 0 && (
        <span class="status-label bad">
          {' '}
          <StatusIcon tone="bad" />
          {attention.map((reason) => attentionLabels[reason]).join(', ')}
        </span>
      )}{' '}
      <span class="muted">
        {ecosystem}
        {direct !== null && ` · ${direct ? 'direct' : 'transitive'}`}
        {files.length > 0 && (
          <>
            {' · '}
            <Line text={files.join(', ')} />
          </>
        )}
      </span>
    </li>
  );
};

/** The branches and tags of a project, as links. The open one is marked. */
const Refs = ({ detail }: { readonly detail: Detail }) => (
  <ul class="project-refs">
    {detail.refs.map(({ ref, commit, recorded_at, versions, direct }) => (
      <li key={ref}>
        <a
          href={formatAddress({ view: 'projects', query: { project: detail.project, ref } })}
          aria-current={ref === detail.ref ? 'true' : undefined}
        >
          <Line text={ref} />
        </a>{' '}
        <span class="muted">
          {versions.toLocaleString('en')} {versions === 1 ? 'version' : 'versions'},{' '}
          {direct.toLocaleString('en')} direct · recorded <Time at={recorded_at} />
          {commit && (
            <>
              {' at '}
              <Line class="version" text={commit.slice(0, 12)} />
            </>
          )}
        </span>
      </li>
    ))}
  </ul>
);

interface ProjectDetailProps {
  readonly project: string;
  /** The branch or tag; undefined for the default. */
  readonly ref_: string | undefined;
}

/** One project: its branches and tags, and what one of them uses, with today's status of each version. */
export const ProjectDetail = ({ project, ref_ }: ProjectDetailProps) => {
  const { api } = useSession();
  const { pages, error, isLoading, reload, showMore } = usePages(
    `project ${project} ${ref_ ?? ''}`,
    (after, signal) =>
      api.showProject(
        {
          path: { project },
          query: {
            limit: pageSize,
            ...(ref_ !== undefined && { ref: ref_ }),
            ...(after !== undefined && { after }),
          },
        },
        { signal },
      ),
  );
  const [detail] = pages;
  return (
    <section class="page projects" aria-labelledby="project-title">
      <p>
        <a href="#/projects">← Projects</a>
      </p>
      <h2 id="project-title">
        <Line text={project} />
      </h2>
      {detail && (
        <>
          <p class="muted">
            {detail.owner ? (
              <>
                Owner{' '}
                <a href={formatAddress({ view: 'projects', query: { owner: detail.owner } })}>
                  <Line text={detail.owner} />
                </a>
              </>
            ) : (
              'No owner is recorded.'
            )}
          </p>
          <Refs detail={detail} />
          <h3>
            Versions on <Line text={detail.ref} />
          </h3>
        </>
      )}
      <ul class="rows">
        {pages
          .flatMap(({ versions }) => versions)
          .map((version) => (
            <VersionRow key={toKey(version)} version={version} />
          ))}
      </ul>
      {error && <ErrorMessage error={error} retry={reload} />}
      {isLoading && !error && <Skeleton lines={8} label="Loading the project" />}
      <ShowMore {...{ showMore, isLoading }} />
    </section>
  );
};
