import { isDeepStrictEqual } from 'node:util';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { digestFindings } from '../../domain/vulnerabilities/scan-source.ts';
import {
  countAt,
  listEntries,
  type ScanSummary,
  summarize,
} from '../../domain/vulnerabilities/scan-summary.ts';
import type { PackageItem } from '../packages/package-item.ts';
import { makePolicyRow } from '../reviews/policy-due.ts';
import { type ReviewState, toReviewStateKey, toReviewStatus } from '../reviews/review-state.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  describeVersion,
  findSuspects,
  makeProblem,
  readTwice,
  readWithVersion,
} from './check.ts';
import {
  expectAttention,
  findLastMoment,
  hasBatches,
  hasOwnFields,
  isScheduled,
  replaceState,
  restoreSources,
} from './rebuild-review-state.ts';
import { type RebuiltSources, rebuildSources } from './rebuild-scan-sources.ts';
import { type EvidenceReader, readEvidence, type StateEvidence } from './state-evidence.ts';

/** Check of each review state against its version, and the scans, risk acceptances and rows of that version. */

/** Returns the counts and acceptances of a scan summary at a moment, without those that have expired. */
const settle = (summary: ScanSummary, now: Date) => ({
  counts: countAt(summary, now),
  accepted: summary.accepted.filter(({ until }) => Date.parse(until) > now.getTime()),
});

/** Returns true if the scan sources of a review state are right. */
type SourcesTest = (state: ReviewState, evidence: StateEvidence) => boolean;

/** Returns true if the scan sources agree with their findings and with the number of the latest scan. */
const sourcesLookRight: SourcesTest = (
  { sources, latest_scan_number },
  { file, scans: latest },
) => {
  const finished = sources.filter((source) => source.finished);
  return (
    latest_scan_number === latest &&
    // The latest scan may be missing because it was dismissed: the check then rebuilds the sources.
    (latest === 0 || sources.some(({ number }) => number === latest)) &&
    file.findings.size === finished.length &&
    finished.every(({ id, finished: last }) => {
      const found = file.findings.get(id);
      return found !== undefined && digestFindings(found) === last?.digest;
    })
  );
};

/** Returns true if a review state agrees with its version and with all evidence. */
const isStateRight = (
  version: PackageItem,
  evidence: StateEvidence,
  { areSourcesRight, context }: { areSourcesRight: SourcesTest; context: CheckContext },
): boolean => {
  const { head: state } = evidence.file;
  if (!state || !Array.isArray(state.sources) || !Array.isArray(state.accepted)) return false;
  if (!hasOwnFields(state)) return false;
  const { v: _, k: __, ...stored } = { ...toReviewStateKey(version), ...state };
  const {
    at,
    evidence_revision: count,
    latest_scan_number: _latest,
    sources,
    counts,
    accepted,
    attention,
    ...others
  } = stored;
  const {
    facts: _facts,
    known_withdrawal: _known,
    evaluated_revision: _evaluated,
    held_by: _held,
    frozen_rule: _frozen,
    ...more
  } = others;
  const { refresh_failures: _failures, next_evaluation, ...unscheduled } = more;
  const { refresh_at: _at, refresh_in: _in, ...written } = unscheduled;
  const { submitter, batches, automatic, ...rest } = written;
  const { recall: _recall, accepted_recalls: _accepted, claim: _claim, ...own } = rest;
  const { upstream_normalization: _upstream, ...status } = own;
  const { now } = context;
  const summary = summarize(sources, listEntries({ ...evidence.file, sources }), now);
  const row = expectAttention(version, state, context);
  return (
    isDeepStrictEqual(status, toReviewStatus(version, version.revision)) &&
    typeof count === 'number' &&
    typeof at === 'string' &&
    at >= findLastMoment(version) &&
    areSourcesRight(state, evidence) &&
    isDeepStrictEqual(settle({ sources, counts, accepted }, now), settle(summary, now)) &&
    submitter === version.submitted_token_label &&
    hasBatches(version, batches) &&
    isDeepStrictEqual(automatic, version.automatic) &&
    isScheduled(version, state, evidence.hasPackageRow) &&
    isDeepStrictEqual(evidence.policyRow, makePolicyRow(version, next_evaluation)) &&
    attention === (row?.k ?? null) &&
    isDeepStrictEqual(evidence.attention, row)
  );
};

/** Returns a test that is true if the scan sources and findings equal those rebuilt from all scans. */
const areSourcesAs =
  (rebuilt: RebuiltSources): SourcesTest =>
  (state, { file }) =>
    state.latest_scan_number === rebuilt.scans &&
    isDeepStrictEqual(state.sources, restoreSources(rebuilt, state)) &&
    isDeepStrictEqual(new Map(file.findings), new Map(rebuilt.findings));

/** Returns the check of one review state, with its scan sources rebuilt from all scans. */
const checkState = (id: PackageId, settings: CheckContext): Check => ({
  subject: `review state of ${describeVersion(id)}`,
  examine: async () => {
    const read = await readWithVersion(id, () =>
      readTwice(async () => ({
        evidence: await readEvidence(id),
        rebuilt: await rebuildSources(id),
      })),
    );
    const { version, stored } = read;
    if (!version) return [];
    // A need for attention may have begun since the start of the check.
    const context = { ...settings, now: new Date() };
    const areSourcesRight = areSourcesAs(stored.rebuilt);
    if (isStateRight(version, stored.evidence, { areSourcesRight, context })) return [];
    return [
      makeProblem({ kind: 'wrong_review_state', example: describeVersion(version) }, () =>
        replaceState({ version, ...stored }, context),
      ),
    ];
  },
});

/** Checks that each version has the review state that follows from it and from its evidence. */
export async function* checkReviewStates(
  versions: readonly PackageItem[],
  { readEvidenceOf }: EvidenceReader,
  context: CheckContext,
): Checks {
  const suspects = await findSuspects(versions, async (version) =>
    isStateRight(version, await readEvidenceOf(version), {
      areSourcesRight: sourcesLookRight,
      context,
    }),
  );
  for (const version of suspects) yield checkState(version, context);
}
