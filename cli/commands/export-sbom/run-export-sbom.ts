import type { JsonObject } from '../../../shared/util/json.ts';
import { UsageError } from '../../input/usage-error.ts';
import { writeResultFile } from '../../output/result-file.ts';
import { formatCount } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { addDetails, loadRef } from './load-project.ts';
import { writeSbom } from './sbom.ts';
import { noDetails } from './sbom-version.ts';

/** The flags of the command. */
interface ExportFlags {
  readonly project?: string;
  readonly ref?: string;
  readonly namesOnly?: boolean;
  readonly file?: string;
}

/**
 * Writes the current snapshot of a project as an SBOM.
 * @throws {RequestError} if the registry refused, failed or could not be reached
 */
export const runExportSbom = async (flags: JsonObject, session: Session): Promise<void> => {
  const { project = '', ref: wanted, namesOnly = false, file } = flags as ExportFlags;
  const { terminal, format, progress } = session;
  if (format === 'jsonl' || format === 'name')
    throw new UsageError('An SBOM is one JSON document.');
  await writeResultFile(file, terminal, async (write) => {
    try {
      const { ref, versions } = await loadRef({ project, ref: wanted }, session);
      const listed = namesOnly
        ? versions.map((one) => ({ ...one, ...noDetails }))
        : await addDetails(versions, session);
      const serialNumber = `urn:uuid:${crypto.randomUUID()}`;
      progress.end();
      write(writeSbom({ project, ref }, listed, { now: new Date(), serialNumber }));
      terminal.err.write(
        `${formatCount(listed.length)} ${listed.length === 1 ? 'version' : 'versions'} of ${project} (${ref}).\n`,
      );
    } finally {
      progress.end();
    }
  });
};
