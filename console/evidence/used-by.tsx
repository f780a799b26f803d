import { describeProjectCount } from '../../shared/domain/projects/describe-uses.ts';
import { formatAddress } from '../address/address.ts';
import { canSeeProjects, groupByProject, type useProjectUses } from '../decisions/project-uses.tsx';
import { ErrorMessage, Skeleton } from '../parts/placeholders.tsx';
import { Line } from '../parts/text.tsx';
import { useSession } from '../session/session.ts';
import { SignInButton } from '../session/sign-in-dialog.tsx';
import { Section } from './section.tsx';

interface UsedByProps {
  readonly uses: ReturnType<typeof useProjectUses>;
}

/** The projects that use a version, with their owners. */
export const UsedBy = ({ uses: { value, error, reload } }: UsedByProps) => {
  const session = useSession();
  if (!canSeeProjects(session)) {
    return (
      <Section title="Used by" id="used-by">
        <p class="muted">
          <SignInButton>Sign in</SignInButton> to see which projects use this version.
        </p>
      </Section>
    );
  }
  const groups = groupByProject(value?.uses ?? []);
  return (
    <Section title="Used by" id="used-by">
      {error && <ErrorMessage error={error} retry={reload} />}
      {!value && !error && <Skeleton lines={2} label="Loading the projects" />}
      {value && groups.length === 0 && <p class="muted">No recorded project uses this version.</p>}
      {value && groups.length > 0 && <p>{describeProjectCount(value)}</p>}
      <ul class="versions">
        {groups.map(({ project, owner, refs }) => (
          <li key={project}>
            <a href={formatAddress({ view: 'projects', query: { project } })}>
              <Line text={project} />
            </a>{' '}
            <span class="muted">
              <Line text={refs.join(', ')} />
              {owner && (
                <>
                  {' · '}
                  <Line text={owner} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {value && (value.next !== null || value.projects > groups.length) && (
        <p class="muted">and more</p>
      )}
    </Section>
  );
};
