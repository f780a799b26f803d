/** Signals that recall an approved version: a record in the malware feed. */
export const recallSources = ['malware'] as const;

/** Name of the registry itself, as the one who recalled a version. */
export const registryActor = 'registry';

/** True if the rejection of a version is a recall. No person can decide under the name of the registry. */
export const isRecall = ({
  rejected_by,
  rejected_token_label,
}: {
  readonly rejected_by: string | null;
  readonly rejected_token_label: string | null;
}): boolean => rejected_by === registryActor && rejected_token_label === null;

/** Recall of an approved version: a rejection by the registry because of a record of malware. */
export interface Recall {
  /** Id of the record, such as `MAL-2026-2307`. */
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

/** Record that leads to a recall. */
export interface RecallCause {
  readonly record: string;
  readonly summary: string | null;
  /** True if the version was published long before the record. */
  readonly isOld?: boolean;
}

const longestSummary = 200;

/** Returns the reason of a recall: `Recalled: MAL-2026-2307: Malicious code in axios (npm)`. */
export const describeRecall = ({ record, summary }: RecallCause): string => {
  const line = (summary ?? '').replace(/\s+/g, ' ').trim().slice(0, longestSummary);
  return `Recalled: ${record}${line === '' ? '' : `: ${line}`}`;
};
