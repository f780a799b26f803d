import currentRules from '../../api/license-rules.build.ts';
import { normalizeLicense } from '../../domain/licenses/normalize/normalize-license.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import { scanPage, wholeTable } from '../../storage/dynamodb/read.ts';
import type { ItemKey } from '../../storage/dynamodb/table.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import { type PackageItem, packagesTable } from '../../storage/packages/package-item.ts';
import { changeNormalization, VersionChangedError } from '../../storage/packages/write-version.ts';
import { findReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import {
  EvidenceChangedError,
  saveNormalization,
} from '../../storage/reviews/review-state-writes.ts';
import { readSweepState, saveSweepState } from '../../storage/reviews/sweep-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { advanceSweep, findSweep } from '../due-work/sweep-rounds.ts';

const itemsAPage = 100;
const parallelVersions = 4;

/** Minimum remaining time to start a page; the next run continues from there. */
const reserveMs = 30_000;

/** Scan position: the key of the last item as JSON, empty before the first. */
const beginning = '';

const normalize = (text: string | null | undefined) =>
  typeof text === 'string' ? normalizeLicense(text) : undefined;

/** `changed`: the version changed in between. `failed`: the log names the error. */
type Outcome = 'done' | 'changed' | 'failed';

/** Normalizes the licenses of one version again, and writes them if they differ. */
const normalizeVersion = async (
  version: PackageItem,
  head: ReviewState | undefined,
  deadline: Deadline,
): Promise<Outcome> => {
  // The integrity check reports a version without a review state.
  if (!head) return 'done';
  const normalization = normalize(version.license);
  const upstream_normalization = normalize(head.facts?.license_statement);
  const isCurrent =
    version.normalization === normalization &&
    head.normalization === normalization &&
    head.upstream_normalization === upstream_normalization;
  if (isCurrent) return 'done';
  try {
    await transact(
      [
        changeNormalization(version, normalization),
        saveNormalization(version, head, { normalization, upstream_normalization }),
      ],
      deadline,
    );
    return 'done';
  } catch (error) {
    // A decision or new evidence came in between: the next round normalizes the version.
    if (error instanceof VersionChangedError || error instanceof EvidenceChangedError) {
      return 'changed';
    }
    const { ecosystem, name, version: number } = version;
    logEvent('error', 'license_not_normalized', { ecosystem, name, version: number, error });
    return 'failed';
  }
};

/** Normalizes the licenses of one page of versions. */
const normalizePage = async (start: ItemKey | undefined, deadline: Deadline) => {
  const { items, next } = await scanPage(packagesTable, wholeTable, { start, limit: itemsAPage });
  // Counters in the same table have version keys that begin with `#`.
  const versions = items.filter(({ version_key }) => !version_key.startsWith('#'));
  const heads = await findReviewStates(versions);
  const outcomes = await runInParallel(versions, parallelVersions, (version) =>
    normalizeVersion(version, heads.get(toVersionKey(version)), deadline),
  );
  return {
    versions: versions.length,
    left: outcomes.filter((outcome) => outcome !== 'done').length,
    failed: outcomes.filter((outcome) => outcome === 'failed').length,
    after: next ? JSON.stringify(next) : null,
  };
};

/**
 * Normalizes the licenses of all versions again after a change of the rules, and a second time later. Runs while time
 * allows; the next run continues from there. Until then, the normalization of the release before applies.
 * @throws {Error} after all other versions, if some failed
 */
export const normalizeLicenses = async (
  { now, deadline }: { readonly now: Date; readonly deadline: Deadline },
  rules: string = currentRules,
): Promise<void> => {
  let state = findSweep(rules, beginning, {
    state: await readSweepState<string>('licenses'),
    now,
  });
  let failed = 0;
  while (state && state.after !== null && deadline.remainingMs() > reserveMs) {
    const start = state.after === beginning ? undefined : JSON.parse(state.after);
    const { versions, left, failed: failedNow, after } = await normalizePage(start, deadline);
    failed += failedNow;
    state = advanceSweep(state, { after, failed: left }, now);
    await saveSweepState('licenses', state);
    const { round } = state;
    logEvent('info', 'licenses_normalized', { versions, left, round, done: after === null });
  }
  if (failed > 0) throw new Error(`${failed} licenses were not normalized; the log names them`);
};
