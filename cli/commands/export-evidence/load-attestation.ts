import { type RegistryClient, RequestError } from '../../../shared/api/client/client.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { type ReportAttestation, unsignedReasons } from './report.ts';

/** Loads the signed statement of the decision in force, or the reason why there is none. */
export const loadAttestation = async (
  client: RegistryClient,
  { name, ...query }: PackageId,
): Promise<ReportAttestation> => {
  try {
    return { envelope: await client.showAttestation({ path: { name }, query }), missing: null };
  } catch (error) {
    const code = error instanceof RequestError ? error.code : undefined;
    const missing = unsignedReasons.find((reason) => reason === code);
    if (missing === undefined) throw error;
    return { envelope: null, missing };
  }
};
