import { canSeeProjects } from '../../decisions/project-uses.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { useSession } from '../../session/session.ts';
import { SignInButton } from '../../session/sign-in-dialog.tsx';
import type { ViewProps } from '../view-props.ts';
import { ProjectDetail } from './project-detail.tsx';
import { ProjectList } from './project-list.tsx';

/** The view of the projects that recorded what they use. Who uses what is visible only with a token. */
export const Projects = ({ address: { query } }: ViewProps) => {
  const session = useSession();
  if (!canSeeProjects(session)) {
    return (
      <EmptyState title="Projects are visible after you sign in">
        <SignInButton>Sign in</SignInButton> to see who uses which package.
      </EmptyState>
    );
  }
  const { project, ref, owner } = query;
  return project ? <ProjectDetail project={project} ref_={ref} /> : <ProjectList owner={owner} />;
};
