import * as routes from '../../../shared/api/routes.ts';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { UsageError } from '../../input/usage-error.ts';

const { maxBytes } = routes.submitScan.body;

/** Turns a message of the registry about a body into one about a report. */
const toUsageError = ({ message }: RegistryError): UsageError =>
  new UsageError(message.replace(/^(?:body: |The body )/, 'The report '));

/**
 * Returns a report as it is if it fits into a request; else it extracts the findings.
 * @throws {UsageError} for a long report that is unreadable, or has too many findings
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
