import { type RegistryClient, RequestError } from '../../shared/api/client/client.ts';
import { ProjectUsesRequest, type VersionUses } from '../../shared/api/schemas/project-uses.ts';
import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { maxAskedVersions } from '../../shared/domain/projects/project-limits.ts';
import { runInParallel } from '../../shared/util/in-parallel.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { splitInto } from '../../shared/util/split-into.ts';
import { matchAnswers } from '../failure/match-answers.ts';
import type { Session } from '../session/session.ts';

const AskedVersion = ProjectUsesRequest.shape.packages.element;

/** Requests that run at once. */
const parallelRequests = 4;

/** The projects that use the version of a row; absent if they are unknown. */
export type RowUses = {
  readonly [Field in Exclude<keyof VersionUses, keyof PackageId>]?: VersionUses[Field] | undefined;
};

/** Loads the projects that use the version of each row. Rows that name no version are left out. */
export const loadUses = async <Row extends object>(
  rows: readonly Row[],
  client: Pick<RegistryClient, 'listProjectUses'>,
): Promise<ReadonlyMap<Row, VersionUses>> => {
  const asked = rows.flatMap((row) => {
    const { ecosystem, name, version } = row as JsonObject;
    const { data } = AskedVersion.safeParse({ ecosystem, name, version });
    return data ? [{ row, id: data }] : [];
  });
  const pairs = await runInParallel(
    splitInto(maxAskedVersions, asked),
    parallelRequests,
    async (batch) => {
      const { packages } = await client.listProjectUses({
        body: { packages: batch.map(({ id }) => id) },
      });
      return matchAnswers(batch, packages).map(([{ row }, uses]) => [row, uses] as const);
    },
  );
  return new Map(pairs.flat());
};

/**
 * Loads uses for an output that is complete without them. A failure is a warning. Without a token, a registry that needs
 * one is no failure.
 * @returns undefined if the uses are unknown
 */
export const tryLoadUses = async <Row extends object>(
  rows: readonly Row[],
  { client, terminal }: Pick<Session, 'client' | 'terminal'>,
): Promise<ReadonlyMap<Row, VersionUses> | undefined> => {
  try {
    return await loadUses(rows, client);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.code !== 'missing_token') {
      terminal.warn(`The projects that use these versions could not be loaded: ${error.detail}`);
    }
    return undefined;
  }
};

/**
 * Returns the function that adds to rows the projects that use their versions. People see them if a project uses one of the
 * versions. After a failure, rows stay as they are.
 */
export const addUses = (session: Session) => {
  let isKnown = session.format !== 'name';
  return async (rows: readonly JsonObject[]): Promise<readonly JsonObject[]> => {
    if (!isKnown || rows.length === 0) return rows;
    const uses = await tryLoadUses(rows, session);
    isKnown = uses !== undefined;
    if (!uses) return rows;
    const isUsed = [...uses.values()].some(({ projects }) => projects > 0);
    if (session.format === 'people' && !isUsed) return rows;
    return rows.map((row) => {
      const { projects, projects_at_least, used_by } = uses.get(row) ?? {};
      return { ...row, ...(used_by && { projects, projects_at_least, used_by }) };
    });
  };
};
