import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { minuteMs } from '../../util/duration.ts';
import { registryActor } from '../tokens/registry-actor.ts';

/** Signals that recall an approved version: a record in the malware feed, and a removal by its origin. */
export const recallSources = ['malware', 'removed'] as const;
export type RecallSource = (typeof recallSources)[number];

/** Ecosystems with recalls. Images have no malware feed, and no publication time. */
export const recalledEcosystems = ['npm', 'pypi', 'maven'] as const satisfies Ecosystem[];

/** Record of recalls because of a removal upstream, in place of the ID of a record of malware. */
export const removalRecord = 'removed';

/** True if the rejection of a version is a recall. No person can decide under the name of the registry. */
export const isRecall = ({
  rejected_by,
  rejected_token_label,
}: {
  readonly rejected_by: string | null;
  readonly rejected_token_label: string | null;
}): boolean => rejected_by === registryActor && rejected_token_label === null;

/** Recall of an approved version: a rejection by the registry because of a record of malware or a removal upstream. */
export interface Recall {
  /** Id of the record, such as `MAL-2026-2307`; `removed` for a removal upstream. */
  readonly record: string;
  /** Further records that name the version. Each of them keeps the recall in force after the end of the first one. */
  readonly others?: readonly string[];
  /** ISO 8601. */
  readonly at: string;
  /** Expiry of the recalled approval, ISO 8601; null if it never expires. */
  readonly expires_at: string | null;
  /** Digest of the upstream metadata that the approval had pinned; null if it had none. */
  readonly pinned: string | null;
}

/** Record of malware or removal upstream that leads to a recall. */
export interface RecallCause {
  /** Id of the record; `removed` for a removal upstream. */
  readonly record: string;
  readonly summary: string | null;
  /** When the feed listed the record, or the removal was reported; ISO 8601. */
  readonly signalAt: string;
  /** True if the version was published long before the record. */
  readonly isOld?: boolean;
  /** Confirmation of the record by a person, with the label of the token and the time in ISO 8601. */
  readonly confirmation?: { readonly by: string | null; readonly at: string } | undefined;
}

/** Returns the minutes since a signal, with one decimal; 0 for a signal from the future, whose clock is wrong. */
export const countMinutesSince = (signalAt: string, now: Date): number =>
  Math.max(0, Math.round((now.getTime() - Date.parse(signalAt)) / (minuteMs / 10)) / 10);

const longestSummary = 200;

/** Names the record of a recall in a sentence: `MAL-2026-2307`, or `removed upstream`. */
export const nameRecallRecord = (record: string): string =>
  record === removalRecord ? 'removed upstream' : record;

/** Returns the reason of a recall: `Recalled: MAL-2026-2307: Malicious code in axios (npm)`. */
export const describeRecall = ({
  record,
  summary,
  confirmation,
}: Pick<RecallCause, 'record' | 'summary' | 'confirmation'>): string => {
  const line = (summary ?? '').replace(/\s+/g, ' ').trim().slice(0, longestSummary);
  const confirmed = confirmation ? `. Confirmed by ${confirmation.by ?? 'a reviewer'}` : '';
  return `Recalled: ${nameRecallRecord(record)}${line === '' ? '' : `: ${line}`}${confirmed}`;
};

/** Returns the records that keep a recall in force, the first of them first; none without a recall. */
export const listRecallRecords = (
  recall: Pick<Recall, 'record' | 'others'> | null | undefined,
): readonly string[] => (recall ? [recall.record, ...(recall.others ?? [])] : []);

/** True if a removal upstream keeps a recall in force, so that the return of the version may end it. */
export const isRemovalRecall = (recall: Parameters<typeof listRecallRecords>[0]): boolean =>
  listRecallRecords(recall).includes(removalRecord);
