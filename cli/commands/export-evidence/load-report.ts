import { type RegistryClient, RequestError } from '../../../shared/api/client/client.ts';
import { isPathSegment } from '../../../shared/api/client/outgoing.ts';
import type { Acceptance } from '../../../shared/api/schemas/acceptance.ts';
import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { HistoryEntry } from '../../../shared/api/schemas/history.ts';
import type { LicenseRecord } from '../../../shared/api/schemas/license.ts';
import { maxLimit } from '../../../shared/api/schemas/query.ts';
import type { ScanResult } from '../../../shared/api/schemas/scan.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { isInScope } from '../../../shared/domain/vulnerabilities/acceptance.ts';
import { foldId } from '../../../shared/domain/vulnerabilities/merge-vulnerabilities.ts';
import { compareOrder } from '../../../shared/util/compare-order.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { formatCount } from '../../output/text.ts';
import { toConsoleAddress } from '../../presentation/announce.ts';
import { findCredential } from '../../session/credentials.ts';
import type { Session } from '../../session/session.ts';
import { findLastApproval } from './approvals.ts';
import { loadAttestation } from './load-attestation.ts';
import { loadUsedBy } from './load-used-by.ts';
import {
  type EvidenceReport,
  type Gap,
  historyPart,
  type ReportAttestation,
  type ReportUsers,
  reportFormat,
} from './report.ts';

/** Bounds of the requests for one report. */
const maxHistoryPages = 5;
const maxVulnerabilities = 100;
const parallelReads = 8;

/** The parts of a report that failed or were cut, and the first failure. */
interface Losses {
  readonly gaps: Gap[];
  failure: RequestError | undefined;
}

/** A report, and the first failure of a part that it lacks. */
export interface LoadedReport {
  readonly report: EvidenceReport;
  readonly failure: RequestError | undefined;
}

/** The version of a report, and where its parts come from. */
interface Source {
  readonly client: RegistryClient;
  readonly id: PackageId;
  readonly losses: Losses;
}

/** Loads a part that a report can do without. Notes a failure, and returns the replacement then. */
const loadPart = async <T>(
  part: string,
  load: () => Promise<T>,
  { replacement, losses }: { readonly replacement: T; readonly losses: Losses },
): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    losses.failure ??= error;
    losses.gaps.push({ part, message: `The registry did not return it: ${error.detail}` });
    return replacement;
  }
};

/** Returns an answer; undefined for a refusal with the code, such as `license_not_found`. */
const unlessRefused = async <T>(answer: Promise<T>, code: string): Promise<T | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RequestError && error.code === code) return undefined;
    throw error;
  }
};

const loadHistory = async ({ client, id, losses }: Source): Promise<HistoryEntry[]> => {
  const { name, ...version } = id;
  const entries: HistoryEntry[] = [];
  let before: string | undefined;
  for (let page = 0; page < maxHistoryPages; page += 1) {
    const query = { ...version, limit: maxLimit, ...(before !== undefined && { before }) };
    const { history, next } = await client.listHistory({ path: { name }, query });
    entries.push(...history);
    if (next === null) return entries;
    before = next;
  }
  losses.gaps.push({
    part: historyPart,
    message: `It has only the newest ${formatCount(entries.length)} entries.`,
  });
  return entries;
};

/** Loads the scans in the evidence of the last approval, with their findings. */
const loadScansOfApproval = async (
  history: readonly HistoryEntry[],
  { client, id: { name, ...version } }: Source,
): Promise<ScanResult[]> => {
  const scans = findLastApproval(history)?.approval.evidence?.scans ?? [];
  return runInParallel(scans, parallelReads, ({ number }) =>
    client.showScan({ path: { name }, query: { ...version, number } }),
  );
};

/** Lists ids under which risks may be accepted: ids of accepted risks first, then the other ids of the scan. */
const listVulnerabilityIds = (
  { scan }: VersionEvidence,
  history: readonly HistoryEntry[],
): string[] => {
  const found = scan?.vulnerabilities ?? [];
  const ids = [
    ...found.flatMap(({ accepted }) => accepted?.id ?? []),
    ...history.flatMap(({ acceptance }) => acceptance?.vulnerability ?? []),
    ...found.map(({ id }) => id),
    ...found.flatMap(({ aliases }) => aliases),
  ];
  return [...new Set(ids.map(foldId))];
};

const newestFirst = (one: Acceptance, other: Acceptance): number => (one.at < other.at ? 1 : -1);

/** Loads the acceptances of the vulnerabilities of a version that apply to it, active and ended ones. */
const loadAcceptances = async (
  evidence: VersionEvidence,
  history: readonly HistoryEntry[],
  { client, id, losses }: Source,
): Promise<Acceptance[]> => {
  const ids = listVulnerabilityIds(evidence, history);
  const lists = await runInParallel(ids.slice(0, maxVulnerabilities), parallelReads, (one) =>
    unlessRefused(
      client.showVulnerability({ path: { id: one }, query: { limit: 1 } }),
      'vulnerability_not_found',
    ),
  );
  if (ids.length > maxVulnerabilities) {
    losses.gaps.push({
      part: 'ended risk acceptances',
      message: `The report looked for them under ${maxVulnerabilities} of ${formatCount(ids.length)} ids. The scan has all active ones.`,
    });
  }
  return lists
    .flatMap((detail) => detail?.acceptances ?? [])
    .filter((acceptance) => isInScope(acceptance, id))
    .sort(newestFirst);
};

const loadLicense = async (
  { license: { effective } }: VersionEvidence,
  { client }: Source,
): Promise<LicenseRecord | null> => {
  const name = effective?.normalized ?? effective?.text ?? '';
  if (!isPathSegment(name)) return null;
  const shown = client.showLicense({ path: { name } });
  return (await unlessRefused(shown, 'license_not_found')) ?? null;
};

const noAttestation: ReportAttestation = { envelope: null, missing: 'not_loaded' };
const noUsers: ReportUsers = { list: null, missing: 'not_loaded' };

/** The answers that a report needs, as the command reads them first. */
interface ReportInput {
  readonly evidence: VersionEvidence;
  readonly now: Date;
}

/**
 * Loads the report of a version, with at most 120 requests. A part that fails is a gap of the report.
 * @throws {RequestError} if the history fails, without which a report shows no decision
 */
export const loadReport = async (
  { evidence, now }: ReportInput,
  session: Session,
): Promise<LoadedReport> => {
  const { client, settings, progress } = session;
  const { ecosystem, name, version } = evidence.package;
  const id = { ecosystem, name, version };
  const losses: Losses = { gaps: [], failure: undefined };
  const source: Source = { client, id, losses };
  progress.show('Reading the history');
  const history = await loadHistory(source);
  progress.show('Reading scans, acceptances and the license');
  const [service, scans_of_approval, acceptances, license, attestation, used_by] =
    await Promise.all([
      loadPart('version of the registry', () => client.showService({}), {
        replacement: null,
        losses,
      }),
      loadPart('scans of the approval', () => loadScansOfApproval(history, source), {
        replacement: [],
        losses,
      }),
      loadPart('risk acceptances', () => loadAcceptances(evidence, history, source), {
        replacement: [],
        losses,
      }),
      loadPart('license record', () => loadLicense(evidence, source), {
        replacement: null,
        losses,
      }),
      loadPart('signed statement', () => loadAttestation(client, id), {
        replacement: noAttestation,
        losses,
      }),
      loadPart(
        'projects',
        () =>
          loadUsedBy(client, id, {
            hasToken: () => findCredential(settings.credentials) !== undefined,
          }),
        { replacement: noUsers, losses },
      ),
    ]);
  const omitted = evidence.scan?.omitted ?? 0;
  if (omitted > 0) {
    losses.gaps.push({
      part: 'vulnerabilities',
      message: `The answer of the registry leaves out ${formatCount(omitted)} of them for its size.`,
    });
  }
  return {
    report: {
      format: reportFormat,
      exported_at: now.toISOString(),
      registry: {
        url: settings.url.value,
        console: toConsoleAddress(session, id),
        version: service?.version ?? null,
      },
      evidence,
      history,
      ...{ scans_of_approval, acceptances, license, attestation, used_by },
      // Parts fail in any order.
      gaps: losses.gaps.toSorted((one, other) => compareOrder(one.part, other.part)),
    },
    failure: losses.failure,
  };
};
