import { routes } from '../../../shared/api/routes.ts';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { UsageError } from '../../input/usage-error.ts';

const { maxBytes } = routes.submitScan.body;

/** What the registry says of a body, said of a report. */
const toUsageError = ({ message }: RegistryError): UsageError =>
  new UsageError(message.replace(/^(?:body: |The body )/, 'The report '));

/**
 * Takes a report as it is where a request can carry it; else reads it here, and takes what it says in its place.
 * @throws {UsageError} for a long report that cannot be read, or that says too much
 */
export const fitReport = async (
  report: unknown,
  warn: (text: string) => void,
): Promise<unknown> => {
  if (Buffer.byteLength(JSON.stringify(report)) <= maxBytes) return report;
  const { condenseReport } = await import('../../../shared/scanners/formats/condense-report.ts');
  try {
    const condensed = condenseReport(report, maxBytes);
    if (condensed.isShortened) {
      warn('The report is too large for one request: summaries and references are left out.');
    }
    return condensed.report;
  } catch (error) {
    throw error instanceof RegistryError ? toUsageError(error) : error;
  }
};
