import { problems, RegistryError } from '../../../shared/domain/errors.ts';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';

/** The 400 that a report is refused with. */
export const refusalOf = (body: unknown): RegistryError => {
  try {
    readReport(body);
  } catch (error) {
    if (error instanceof RegistryError && problems[error.code].status === 400) return error;
    throw error;
  }
  throw new Error('The report was not refused');
};
