import { useEffect, useState } from 'preact/hooks';
import type { HistoryEntry } from '../../shared/api/schemas/history.ts';
import { findOpenQuestions } from '../../shared/domain/review/comments.ts';
import { describeEventActor } from '../../shared/domain/tokens/describe-actor.ts';
import type { VersionId } from '../address/version-id.ts';
import { toKey } from '../address/version-id.ts';
import { useQuery } from '../api/use-query.ts';
import { describeIssueCode } from '../parts/issue-code.ts';
import { ErrorMessage, Skeleton } from '../parts/placeholders.tsx';
import { StatusIcon, type Tone } from '../parts/status-marks.tsx';
import { Line, Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { hasScope, useSession } from '../session/session.ts';
import { CommentForm } from './comment-form.tsx';
import { Section } from './section.tsx';

const pageSize = 20;

const tones: Readonly<Record<string, Tone>> = {
  ...{ approved: 'good', rejected: 'bad', recalled: 'bad', released: 'good' },
  ...{ expired: 'warn', restored: 'warn', attention: 'warn', affected: 'warn' },
  dismissed: 'idle',
};

const eventTexts: Readonly<Record<string, string>> = {
  'package.expired': 'approval expired',
  'package.released': 'recall ended',
  'package.attention': 'needs attention',
  'package.commented': 'comment',
  'project.affected': 'affects projects',
  'scan.dismissed': 'scan dismissed',
  'vulnerability.accepted': 'risk accepted',
  'acceptance.ended': 'risk acceptance ended',
};

/** Returns the part of an event type after the dot: `approved` of `package.approved`. */
const nameType = (type: string): string => type.split('.').at(-1) ?? type;

const Entry = ({ entry }: { readonly entry: HistoryEntry }) => {
  const { type, at, reason, rule, overridden, expires_at, acceptance, scan, question } = entry;
  const by = describeEventActor(entry);
  const name = nameType(type);
  return (
    <li>
      <StatusIcon tone={tones[name] ?? 'idle'} />
      <div>
        <p>
          <strong>{question ? 'question' : (eventTexts[type] ?? name)}</strong>{' '}
          {acceptance && <Line class="version" text={acceptance.vulnerability} />}
          {scan && <Line text={scan.tool} />} <Time at={at} />
          {by && (
            <>
              {' by '}
              <Line text={by} />
            </>
          )}
          {rule && (
            <>
              {' '}
              by rule <Line text={rule} />
            </>
          )}
          {expires_at && (
            <>
              , expires on <Time at={expires_at} as="day" />
            </>
          )}
        </p>
        {reason && (
          <p>
            <Text text={reason} />
          </p>
        )}
        {overridden.length > 0 && (
          <p class="muted">Overridden: {overridden.map(describeIssueCode).join(', ')}</p>
        )}
      </div>
    </li>
  );
};

interface HistoryProps {
  readonly id: VersionId;
  /** Changes whenever the history may have a new entry. */
  readonly news: string;
  /** Called with the open questions about the version, the newest first. */
  readonly noteQuestions: (questions: readonly HistoryEntry[]) => void;
}

/** The button that opens the form for a comment, for callers who may comment. */
const CommentPart = ({ id }: { readonly id: VersionId }) => {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!hasScope(session, 'review') && !hasScope(session, 'submit')) return null;
  if (isOpen) return <CommentForm id={id} close={() => setOpen(false)} />;
  return (
    <p>
      <button type="button" class="plain" onClick={() => setOpen(true)}>
        Comment or ask
      </button>
    </p>
  );
};

/** The history of a version, the newest entry first, and the form for a comment. */
export const History = ({ id, news, noteQuestions }: HistoryProps) => {
  const { api } = useSession();
  const [before, setBefore] = useState<readonly string[]>([]);
  const key = toKey(id);
  useEffect(() => setBefore([]), [key]);
  const { value, error, reload } = useQuery(`${key} ${news} ${before.length}`, async (signal) => {
    const read = async (after: string | undefined) =>
      api.listHistory(
        {
          path: { name: id.name },
          query: {
            ...{ ecosystem: id.ecosystem, version: id.version, limit: pageSize },
            ...(after !== undefined && { before: after }),
          },
        },
        { signal },
      );
    const pages = await Promise.all([undefined, ...before].map(read));
    return { entries: pages.flatMap(({ history }) => history), next: pages.at(-1)?.next ?? null };
  });
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (!value) return;
    setShown(value);
    noteQuestions(findOpenQuestions(value.entries));
  }, [value]);
  const next = shown?.next ?? null;
  return (
    <Section title="History" id="history">
      <CommentPart key={key} id={id} />
      {error && <ErrorMessage error={error} retry={reload} />}
      {!shown && !error && <Skeleton lines={3} label="Loading the history" />}
      <ol class="history">
        {shown?.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {next !== null && (
        <button type="button" onClick={() => setBefore([...before, next])}>
          Show more
        </button>
      )}
    </Section>
  );
};
