import { useRef } from 'preact/hooks';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import type { Decision } from '../../../shared/domain/review/status.ts';
import { groupBy } from '../../../shared/util/group-by.ts';
import { type Action, actions } from '../../decisions/actions.ts';
import type { BasketVersion } from '../../decisions/basket.ts';
import { decide } from '../../decisions/decide.ts';
import { DecisionForm, type SubmitOption } from '../../decisions/decision-form.tsx';
import { toDraftKey } from '../../decisions/drafts.ts';
import { findReasonPrompt } from '../../decisions/reason-prompt.ts';
import { isMalware, listBlocking } from '../../decisions/shown-evidence.ts';
import { UsesNotice } from '../../decisions/version-uses.tsx';
import { describeIssueCode } from '../../parts/issue-code.ts';
import { Line } from '../../parts/text.tsx';
import { useSession } from '../../session/session.ts';

/**
 * Returns the versions as they were when the form opened, so that a decision covers no evidence and no version that came later.
 * Versions that were deselected since are left out.
 */
const useFirstShown = (rows: readonly BasketVersion[]): readonly BasketVersion[] => {
  const shown = useRef(rows);
  const keys = new Set(rows.map(({ key }) => key));
  return shown.current.filter(({ key }) => keys.has(key));
};

const countVersions = (count: number): string => `${count} ${count === 1 ? 'version' : 'versions'}`;

/** The names of the versions, which a click shows. */
const VersionNames = ({ rows }: { readonly rows: readonly BasketVersion[] }) => (
  <details class="version-names">
    <summary>Show {countVersions(rows.length)}</summary>
    <ul>
      {rows.map((row) => (
        <li key={row.key}>
          <Line text={formatPackage(row)} />
        </li>
      ))}
    </ul>
  </details>
);

/** Returns the blocking issues of some rows, with the number of rows for each issue. */
const countBlocking = (rows: readonly BasketVersion[]): [code: string, count: number][] =>
  [...groupBy(rows.flatMap(listBlocking), (code) => code)].map(([code, some]) => [
    describeIssueCode(code),
    some.length,
  ]);

/** `Warnings: no scan 39, license conditional 2`; undefined without warnings. */
const describeWarnings = (rows: readonly BasketVersion[]): string | undefined => {
  const codes = rows.flatMap(({ issues }) => issues.flatMap((one) => (one.blocks ? [] : one.code)));
  const counts = [...groupBy(codes, (code) => code)].toSorted(
    ([, some], [, others]) => others.length - some.length,
  );
  if (counts.length === 0) return undefined;
  return `Warnings: ${counts.map(([code, some]) => `${describeIssueCode(code)} ${some.length}`).join(', ')}`;
};

/** `88 clean, 12 blocked: license rejected 12`. */
const describeBlocked = (
  clean: readonly BasketVersion[],
  blocked: readonly BasketVersion[],
): string => {
  const codes = countBlocking(blocked).map(([code, count]) => `${code} ${count}`);
  return `${clean.length} clean, ${blocked.length} blocked: ${codes.join(', ')}`;
};

/** Says which selected versions the console does not approve. */
const describeMalware = (count: number): string[] =>
  count === 0
    ? []
    : [
        `${countVersions(count)} with malware left out: registry approve --accept-recall accepts a record`,
      ];

/** Rows with and without blocking issues. */
interface Division {
  readonly rows: readonly BasketVersion[];
  readonly clean: readonly BasketVersion[];
  readonly blocked: readonly BasketVersion[];
}

/** Returns the labels of the approve buttons, with the rows that each button approves. */
const listApprovals = ({
  rows,
  clean,
  blocked,
}: Division): [string, readonly BasketVersion[]][] => {
  if (blocked.length === 0) return [['Approve', rows]];
  const codes = countBlocking(blocked).map(([code]) => code);
  return [
    ...(clean.length > 0
      ? [
          [
            `Approve ${clean.length} clean ${clean.length === 1 ? 'version' : 'versions'}`,
            clean,
          ] as [string, BasketVersion[]],
        ]
      : []),
    [
      `Approve${rows.length > 1 ? ` all ${rows.length}` : ''}, overriding ${codes.join(', ')}`,
      rows,
    ],
  ];
};

/** Describes which selected rows are unchanged, and how many decisions are reversed. */
const describeDecided = (
  count: number,
  rows: readonly BasketVersion[],
  status: Decision,
): string => {
  const describe = (some: number, what: string): string[] =>
    some > 0 ? [`${some} of ${count} ${some === 1 ? 'is' : 'are'} ${what}`] : [];
  const other = status === 'approved' ? 'rejected' : 'approved';
  return [
    ...describe(count - rows.length, `already ${status}`),
    ...describe(
      rows.filter((row) => row.status === other).length,
      `${other}: this reverses the decision`,
    ),
  ].join('; ');
};

interface BulkFormProps {
  readonly selected: readonly BasketVersion[];
  readonly action: Action;
  readonly ask: (action: Action | null) => void;
}

/** The form for one decision on many versions. */
export const BulkForm = ({ selected, action, ask }: BulkFormProps) => {
  const session = useSession();
  const { verb, status } = actions[action];
  // Versions with this status stay unchanged.
  const changed = useFirstShown(selected).filter((row) => row.status !== status);
  const isRefused = (row: BasketVersion): boolean => action === 'approve' && isMalware(row);
  const rows = changed.filter((row) => !isRefused(row));
  const isBlocked = (row: BasketVersion): boolean =>
    action === 'approve' && listBlocking(row).length > 0;
  const blocked = rows.filter(isBlocked);
  const clean = rows.filter((row) => !isBlocked(row));
  const toWay = ([label, some]: [string, readonly BasketVersion[]]): SubmitOption => ({
    label,
    reasonPrompt: some.flatMap((row) => findReasonPrompt(action, row) ?? [])[0],
    send: (terms) => {
      ask(null);
      decide(session, action, some, terms);
    },
  });
  const [first, ...others] =
    action === 'approve' ? listApprovals({ rows, clean, blocked }) : [[verb, rows] as const];
  if (!first) return null;
  return (
    <DecisionForm
      action={action}
      what={countVersions(rows.length)}
      draft={toDraftKey(action)}
      overrides={[
        ...(blocked.length > 0 ? [describeBlocked(clean, blocked)] : []),
        ...describeMalware(changed.length - rows.length),
      ]}
      options={[toWay([...first]), ...others.map(([label, some]) => toWay([label, some]))]}
      cancel={() => ask(null)}
      isSending={rows.length === 0}
      note={[
        describeDecided(selected.length, changed, status),
        action === 'approve' ? describeWarnings(rows) : undefined,
      ]
        .filter((text) => text)
        .join('. ')}
    >
      <VersionNames rows={rows} />
      {action === 'reject' && <UsesNotice ids={rows} />}
    </DecisionForm>
  );
};
