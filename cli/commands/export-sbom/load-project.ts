import { RequestError } from '../../../shared/api/client/client.ts';
import type { ProjectDetail } from '../../../shared/api/schemas/project.ts';
import { maxLimit } from '../../../shared/api/schemas/query.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { formatCount } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { noDetails, readDetails, type SbomDetails, type SbomVersion } from './sbom-version.ts';

/** The ref of a project to load. */
export interface WantedRef {
  readonly project: string;
  readonly ref: string | undefined;
}

/** The current snapshot of a ref. */
interface LoadedRef {
  readonly ref: string;
  readonly versions: ProjectDetail['versions'];
}

const findDigest = ({ ref, refs }: ProjectDetail): string | undefined =>
  refs.find((one) => one.ref === ref)?.digest;

/** Loads all pages of a snapshot; undefined if another one replaced it between two pages. */
const loadPages = async (
  { project, ref }: WantedRef,
  { client, progress }: Session,
): Promise<LoadedRef | undefined> => {
  const read = (query: { readonly ref?: string; readonly after?: string }) =>
    client.showProject({ path: { project }, query: { ...query, limit: maxLimit } });
  const first = await read(ref === undefined ? {} : { ref });
  const versions = [...first.versions];
  let { next } = first;
  while (next !== null) {
    const page = await read({ ref: first.ref, after: next });
    if (findDigest(page) !== findDigest(first)) return undefined;
    versions.push(...page.versions);
    next = page.next;
    progress.show(`${formatCount(versions.length)} versions read`);
  }
  return { ref: first.ref, versions };
};

const maxAttempts = 3;

/**
 * Loads the current snapshot of a project.
 * @throws {Error} if recordings replace it all the time
 */
export const loadRef = async (wanted: WantedRef, session: Session): Promise<LoadedRef> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const loaded = await loadPages(wanted, session);
    if (loaded) return loaded;
  }
  throw new Error(`${wanted.project} was recorded during the export. Try again.`);
};

type ProjectVersion = ProjectDetail['versions'][number];

/**
 * Loads license and digests of a version, and its version as it was submitted: a snapshot has `6` for `6.0` of PyPI. Returns no
 * details if it is no longer in the registry.
 */
const loadDetails = async (
  { ecosystem, name, version }: ProjectVersion,
  { client }: Session,
): Promise<SbomDetails & { readonly version?: string }> => {
  try {
    const query = { ecosystem, version };
    const evidence = await client.showEvidence({ path: { name }, query });
    return { ...readDetails(evidence), version: evidence.package.version };
  } catch (error) {
    if (error instanceof RequestError && error.code === 'package_not_found') return noDetails;
    throw error;
  }
};

const parallelReads = 8;

/** Adds licenses and digests to the versions that the registry has. */
export const addDetails = (
  versions: readonly ProjectVersion[],
  session: Session,
): Promise<SbomVersion[]> => {
  let read = 0;
  return runInParallel(versions, parallelReads, async (one) => {
    const details = one.status === 'unknown' ? noDetails : await loadDetails(one, session);
    read += 1;
    session.progress.show(`${formatCount(read)} of ${formatCount(versions.length)} licenses read`);
    return { ...one, ...details };
  });
};
