import type { VersionUses } from '../../../shared/api/schemas/project-uses.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { readEcosystemFlag } from '../../framework/named-package.ts';
import { UsageError } from '../../input/usage-error.ts';
import { loadUses } from '../../many/project-uses.ts';
import { readPackagesFile } from '../../many/read-packages.ts';
import { writeResult, writeRows } from '../../output/result.ts';
import { presentUses } from '../../presentation/used-by.ts';
import type { Session } from '../../session/session.ts';

/** Flags that select or page the uses of one package. */
const refused = ['version', 'after', 'limit', 'all'];

const presentVersion = (row: VersionUses): object => ({
  package: formatPackage(row),
  ...presentUses(row),
});

/**
 * Shows the projects that use each package version of a file, in its order.
 * @throws {UsageError} for an entry that names no version, and for flags of the list about one package
 */
export const showUsesOfFile = async (
  flags: JsonObject,
  { client, terminal, format }: Session,
): Promise<void> => {
  const surplus = refused.find((flag) => flags[flag] !== undefined);
  if (surplus) throw new UsageError(`--file goes without --${surplus}.`);
  const entries = await readPackagesFile(String(flags['file']), readEcosystemFlag(flags));
  const rows = entries.map(({ fields }) => fields);
  const uses = await loadUses(rows, client);
  const packages = entries.map(({ fields, place }) => {
    const found = uses.get(fields);
    if (!found) throw new UsageError(`${place}write its ecosystem, name and version.`);
    return found;
  });
  if (format === 'json') writeResult({ packages }, terminal, { format });
  else
    writeRows(
      packages.map((row) => ({ ...row })),
      terminal.out,
      { format, presentRow: presentVersion },
    );
};
