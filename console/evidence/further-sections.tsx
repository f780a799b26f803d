import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import type { HistoryEntry } from '../../shared/api/schemas/history.ts';
import type { VersionId } from '../address/version-id.ts';
import type { useProjectUses } from '../decisions/project-uses.tsx';
import { DependenciesSection } from './dependencies-section.tsx';
import { History } from './history.tsx';
import { OtherVersions } from './other-versions.tsx';
import { UsedBy } from './used-by.tsx';

interface FurtherSectionsProps {
  readonly id: VersionId;
  readonly evidence: VersionEvidence;
  readonly uses: ReturnType<typeof useProjectUses>;
  /** Counts the changes after which the history may have a new entry. */
  readonly news: number;
  readonly noteQuestions: (questions: readonly HistoryEntry[]) => void;
}

/** The last sections of the evidence, which load their own data. They come together, so that none moves another one. */
export const FurtherSections = (props: FurtherSectionsProps) => {
  const { id, evidence, uses, news, noteQuestions } = props;
  return (
    <>
      <DependenciesSection id={id} news={`${evidence.facts?.checked_at}`} />
      <UsedBy uses={uses} />
      <OtherVersions id={id} earlier={evidence.earlier} />
      <History
        id={id}
        news={`${news} ${evidence.evidence_version}`}
        noteQuestions={noteQuestions}
      />
    </>
  );
};
