import type { VersionId } from '../address/version-id.ts';
import { useOnScreen } from '../parts/use-on-screen.ts';
import { Dependencies } from './dependencies.tsx';
import { Section } from './section.tsx';

interface DependenciesSectionProps {
  readonly id: VersionId;
  /** Changes whenever the dependencies may have changed. */
  readonly news: string;
}

/** The section with the dependencies of a version. It loads them when it is on the screen, since many decisions need none. */
export const DependenciesSection = (props: DependenciesSectionProps) => {
  const { ref, isSeen } = useOnScreen<HTMLDivElement>();
  return (
    <Section title="Dependencies" id="dependencies">
      <div ref={ref}>{isSeen ? <Dependencies {...props} /> : <p class="muted">Loading …</p>}</div>
    </Section>
  );
};
