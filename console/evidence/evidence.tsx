import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import type { HistoryEntry } from '../../shared/api/schemas/history.ts';
import type { PackageProjects } from '../../shared/api/schemas/project.ts';
import { describeAwaited } from '../../shared/domain/policy/next-evaluation.ts';
import { describeProposal } from '../../shared/domain/review/describe-proposal.ts';
import { describeActor, describeSubmitter } from '../../shared/domain/tokens/describe-actor.ts';
import { toKey, type VersionId } from '../address/version-id.ts';
import { usePolling } from '../api/use-polling.ts';
import { useQuery } from '../api/use-query.ts';
import type { Action } from '../decisions/actions.ts';
import { DecisionBar } from '../decisions/decision-bar.tsx';
import { useOutcome } from '../decisions/outcomes.ts';
import { useProjectUses } from '../decisions/project-uses.tsx';
import { setOpenEvidence, toOpenEvidence } from '../decisions/shown-evidence.ts';
import { AutomaticLabel } from '../parts/automatic-label.tsx';
import { makeLazy } from '../parts/lazy.tsx';
import { ErrorMessage, Skeleton } from '../parts/placeholders.tsx';
import { QuotedText } from '../parts/quoted-text.tsx';
import { StatusLabel } from '../parts/status-marks.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { TimeAndActor } from '../parts/time-and-actor.tsx';
import { useSession } from '../session/session.ts';
import { refreshLists } from '../state/list-refresh.ts';
import { Changes } from './changes.tsx';
import { ClaimLine } from './claim.tsx';
import { CopyNames } from './copy-names.tsx';
import { Files } from './files.tsx';
import { IssueSections } from './issues.tsx';
import { License } from './license.tsx';
import { OpenQuestions } from './open-questions.tsx';
import { Scans } from './scans.tsx';
import { Section } from './section.tsx';
import { UpstreamMetadata } from './upstream-metadata.tsx';

const Recall = makeLazy('Recall');
const FurtherSections = makeLazy('FurtherSections');

interface EvidenceProps {
  readonly id: VersionId;
  /** The action whose form is open; null without a form. */
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
  readonly next?: (() => void) | undefined;
  /** Called after the decision. */
  readonly decided: () => void;
  /** The link back to the list. */
  readonly back: { readonly href: string; readonly title: string };
  /** True on narrow screens, where the evidence replaces the list and takes the focus. */
  readonly isAlone: boolean;
}

interface AuthorProps {
  readonly what: string;
  readonly by: string | null;
  readonly label: string | null;
  /** Returns the author for display. */
  readonly describe: typeof describeActor;
}

/** The kind and the author of a text: `Reason by ana@example.com (token ci)`. */
const Author = ({ what, by, label, describe }: AuthorProps) => {
  const actor = describe({ by, token_label: label });
  return (
    <>
      {what}
      {actor && (
        <>
          {' by '}
          <Line text={actor} />
        </>
      )}
    </>
  );
};

const Justification = ({ evidence }: { readonly evidence: VersionEvidence }) => {
  const { submitted_by, submitted_token_label } = evidence.package;
  const { automatic, justification } = evidence;
  if (!justification && !automatic) return null;
  return (
    <Section title="Submission" id="submission">
      {automatic && (
        <p class="submission-cause">
          <AutomaticLabel automatic={automatic} />
          {automatic.fixes.length > 0 && (
            <>
              {' '}
              <Line text={automatic.fixes.join(', ')} />
            </>
          )}
        </p>
      )}
      {justification && (
        <QuotedText
          label={
            <Author
              what="Justification"
              by={submitted_by}
              label={submitted_token_label}
              describe={describeSubmitter}
            />
          }
          text={justification}
        />
      )}
    </Section>
  );
};

/** The automatic checks that have not finished, or the freeze that stops a rule. */
const Waits = ({ evidence }: { readonly evidence: VersionEvidence }) => {
  const checks = evidence.waits_for.filter((wait) => wait !== 'freeze');
  if (checks.length > 0) return <p>Waits for its {describeAwaited(checks)}.</p>;
  if (!evidence.frozen_rule) return null;
  return (
    <p>
      Waits until the freeze is lifted (rule <Line text={evidence.frozen_rule} />
      ).
    </p>
  );
};

interface DecisionSummaryProps {
  readonly evidence: VersionEvidence;
  /** The projects that use the version; undefined while they load, and for callers who may not see them. */
  readonly uses: PackageProjects | null | undefined;
}

/** What is proposed, and the status of the version: who decided when, until when, and why. */
const DecisionSummary = ({ evidence, uses }: DecisionSummaryProps) => {
  const proposal = describeProposal(evidence, uses);
  const { status, submitted_at, submitted_by, reason, expires_at, previous, ...one } =
    evidence.package;
  const label = one.approved_token_label ?? one.rejected_token_label;
  const by = one.approved_by ?? one.rejected_by;
  const at = one.approved_at ?? one.rejected_at;
  return (
    <div class="decision-summary">
      {proposal !== null && (
        <p class="proposal">
          <Line text={proposal} />
        </p>
      )}
      <p>
        <StatusLabel status={status} />
        {at && (
          <>
            {' '}
            <TimeAndActor at={at} by={by} label={label} />
          </>
        )}
        {expires_at && (
          <>
            {', expires on '}
            <Time at={expires_at} as="day" />
          </>
        )}
      </p>
      {reason && (
        <QuotedText
          label={<Author what="Reason" by={by} label={label} describe={describeActor} />}
          text={reason}
        />
      )}
      <p class="muted">
        Submitted{' '}
        <TimeAndActor
          at={submitted_at}
          by={submitted_by}
          label={one.submitted_token_label}
          describe={describeSubmitter}
        />
        {previous && (
          <>
            {`; previously ${previous.status} `}
            <Time at={previous.at} />
          </>
        )}
      </p>
      <Waits evidence={evidence} />
      {evidence.held_by && (
        <p>
          Needs manual review (rule <Line text={evidence.held_by} />
          ).
        </p>
      )}
      {evidence.next_evaluation && (
        <p>
          Reaches the minimum age on <Time at={evidence.next_evaluation.at} as="day" /> (rule{' '}
          <Line text={evidence.next_evaluation.rule} />
          ).
        </p>
      )}
    </div>
  );
};

interface SectionsProps {
  readonly id: VersionId;
  readonly evidence: VersionEvidence;
  /** Counts the changes after which the history may have a new entry. */
  readonly news: number;
  readonly reload: () => void;
  readonly noteQuestions: (questions: readonly HistoryEntry[]) => void;
}

/** The sections of the evidence, in the order in which a reviewer reads them. */
const Sections = ({ id, evidence, news, reload, noteQuestions }: SectionsProps) => {
  const uses = useProjectUses(id);
  return (
    <div class="sections">
      <DecisionSummary evidence={evidence} uses={uses.value} />
      <ClaimLine
        id={id}
        claim={evidence.claim}
        isPending={evidence.package.status === 'pending'}
        reload={reload}
      />
      {evidence.recall && <Recall recall={evidence.recall} />}
      <Changes evidence={evidence} />
      <IssueSections issues={evidence.issues} status={evidence.package.status} />
      <Justification evidence={evidence} />
      <UpstreamMetadata evidence={evidence} />
      <Files files={evidence.files} />
      <License license={evidence.license} declared={evidence.facts?.licenses_declared ?? []} />
      <Scans id={id} scan={evidence.scan} reload={reload} />
      <FurtherSections {...{ id, evidence, uses, news, noteQuestions }} />
    </div>
  );
};

/** Refreshes lists when the evidence on the screen changes, because no event reports finished scans. */
const useRefreshOnNewEvidence = (version: string | undefined): void => {
  const seen = useRef(version);
  useEffect(() => {
    if (version === undefined) return;
    if (seen.current !== undefined && seen.current !== version) refreshLists();
    seen.current = version;
  }, [version]);
};

/** Returns true if the title may scroll, so that it must be reachable by keyboard. */
const isLong = ({ name, version }: VersionId): boolean => name.length + version.length > 40;

/** The evidence of a decision on a version, and the buttons to decide. */
export const Evidence = ({ id, asking, ask, next, decided, back, isAlone }: EvidenceProps) => {
  const { api } = useSession();
  const outcome = useOutcome(id);
  const key = toKey(id);
  const title = useRef<HTMLHeadingElement>(null);
  const answered = useQuery(
    key,
    (signal) =>
      api.showEvidence(
        { path: { name: id.name }, query: { ecosystem: id.ecosystem, version: id.version } },
        { signal },
      ),
    // Somebody who moves through a list does not need each version on the way.
    { afterMs: 120 },
  );
  const { value, error, isLoading, reload } = answered;
  usePolling(answered);
  const news = outcome?.news ?? 0;
  const [questions, noteQuestions] = useState<readonly HistoryEntry[]>([]);
  const refused = outcome?.refused;
  useEffect(() => {
    if (news > 0 || refused) reload();
  }, [news, refused, reload]);
  useRefreshOnNewEvidence(value?.evidence_version);
  // Before the next key, which may decide on this evidence.
  useLayoutEffect(() => {
    setOpenEvidence(id, value ?? null);
    return () => setOpenEvidence(id, null);
  }, [key, value]);
  useEffect(() => {
    if (isAlone) title.current?.focus();
  }, [isAlone, key]);
  return (
    <article class="evidence" aria-labelledby="evidence-title" aria-busy={isLoading}>
      <a class="back" href={back.href}>
        ← {back.title}
      </a>
      <header>
        <h2 id="evidence-title" ref={title} tabIndex={isLong(id) ? 0 : -1}>
          <Line text={id.name} /> <Line class="version" text={id.version} />
        </h2>
        <span class="muted">{id.ecosystem}</span>
        <CopyNames id={id} purl={value?.purl} />
      </header>
      {error && !value && <ErrorMessage error={error} retry={reload} />}
      {!value && !error && <Skeleton lines={12} label="Loading the evidence" />}
      {value && <Sections id={id} evidence={value} {...{ news, reload, noteQuestions }} />}
      {value && <OpenQuestions questions={questions} />}
      {value && (
        <DecisionBar
          key={key}
          id={id}
          evidence={toOpenEvidence(value)}
          asking={asking}
          ask={ask}
          next={next}
          decided={decided}
        />
      )}
    </article>
  );
};
