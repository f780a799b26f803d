import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { findStep } from '../packages/find-step.ts';
import { describeProjectCount } from '../projects/describe-uses.ts';
import { updatesBatch } from './automatic-submission.ts';

/** What is known about a pending version, as far as its proposal depends on it. Texts are untrusted. */
export interface ProposedVersion {
  readonly package: {
    readonly ecosystem: Ecosystem;
    readonly version: string;
    readonly status: string;
  };
  /** The comparison with an earlier version; null if there was none yet. */
  readonly changes: { readonly since: string | null; readonly since_status: string | null } | null;
  readonly automatic?: { readonly cause: string } | null;
  /** Decisions on other versions, newest first. */
  readonly earlier: readonly { readonly version: string; readonly status: string }[];
  /** Names of the batches that request the version. Registries of earlier releases send none. */
  readonly batches?: readonly string[];
}

/** Number of projects that use a version, where the caller may see it. */
type Projects = Parameters<typeof describeProjectCount>[0];

/** Returns the version whose latest decision is the newest approval. */
const findApprovedBefore = ({ earlier }: ProposedVersion): string | undefined => {
  const latest = new Map<string, string>();
  for (const { version, status } of earlier) {
    if (!latest.has(version)) latest.set(version, status);
  }
  return [...latest].find(([, status]) => status === 'approved')?.[0];
};

const describeKind = (proposed: ProposedVersion): string | null => {
  const { package: own, changes, automatic } = proposed;
  if (changes?.since && changes.since_status === 'approved') {
    const what = automatic?.cause === 'security_fix' ? 'Security fix' : 'Upgrade';
    const step = findStep(own.ecosystem, changes.since, own.version);
    return [`${what} of approved ${changes.since}`, step].filter(Boolean).join(', ');
  }
  const approved = findApprovedBefore(proposed);
  if (approved !== undefined) return `Another version of a package with approved ${approved}`;
  return changes === null ? null : 'New package';
};

const describeDemand = (batches: readonly string[]): string | null => {
  const requesting = batches.filter((batch) => batch !== updatesBatch);
  const [first] = requesting;
  if (first === undefined) return null;
  return requesting.length === 1
    ? `requested by batch ${first}`
    : `requested by ${requesting.length} batches`;
};

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * Returns what the approval of a pending version would do, on one line: `Upgrade of approved 4.17.20, minor, used by 3
 * projects`. Null for a decided version, and if nothing is known yet. `New package` means that no approved version is among
 * the latest decisions of the package.
 */
export const describeProposal = (
  proposed: ProposedVersion,
  projects?: Projects | null,
): string | null => {
  if (proposed.package.status !== 'pending') return null;
  const parts = [
    describeKind(proposed),
    describeDemand(proposed.batches ?? []),
    projects && projects.projects > 0 ? `used by ${describeProjectCount(projects)}` : null,
  ];
  return capitalize(parts.filter((part) => part !== null).join(', ')) || null;
};
