import { formatAddress } from '../../address/address.ts';
import { EmptyState, ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSession } from '../../session/session.ts';

const pageSize = 50;

/** Returns a number with its noun: `1 branch or tag`, `3 branches or tags`. */
const countRefs = (refs: number): string =>
  refs === 1 ? '1 branch or tag' : `${refs} branches or tags`;

/** All recorded projects, or the projects of one owner. */
export const ProjectList = ({ owner }: { readonly owner: string | undefined }) => {
  const { api } = useSession();
  const { pages, error, isLoading, reload, showMore } = usePages(
    `projects ${owner ?? ''}`,
    (after, signal) =>
      api.listProjects(
        {
          query: {
            limit: pageSize,
            ...(owner !== undefined && { owner }),
            ...(after !== undefined && { after }),
          },
        },
        { signal },
      ),
  );
  const projects = pages.flatMap((page) => page.projects);
  const isEmpty = !isLoading && !error && projects.length === 0 && !showMore;
  return (
    <section class="page projects" aria-labelledby="projects-title">
      <h2 id="projects-title">Projects</h2>
      {owner !== undefined && (
        <p class="muted">
          Owned by <Line text={owner} />. <a href="#/projects">Show all projects</a>
        </p>
      )}
      {isEmpty && (
        <EmptyState title="No project is recorded">
          Run <code>registry check --record NAME</code> in a project to record what it uses.
        </EmptyState>
      )}
      <ul class="rows">
        {projects.map(({ project, owner: itsOwner, refs, recorded_at }) => (
          <li key={project}>
            <a href={formatAddress({ view: 'projects', query: { project } })}>
              <Line text={project} />
            </a>{' '}
            <span class="muted">
              {itsOwner && (
                <>
                  <a href={formatAddress({ view: 'projects', query: { owner: itsOwner } })}>
                    <Line text={itsOwner} />
                  </a>
                  {' · '}
                </>
              )}
              {countRefs(refs)} · recorded <Time at={recorded_at} />
            </span>
          </li>
        ))}
      </ul>
      {error && <ErrorMessage error={error} retry={reload} />}
      {isLoading && !error && <Skeleton lines={5} label="Loading the projects" />}
      <ShowMore {...{ showMore, isLoading }} />
    </section>
  );
};
