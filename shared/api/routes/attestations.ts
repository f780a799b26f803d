/** Routes of signed decisions. */
import type { Route } from '../route.ts';
import { NoQuery } from '../schemas/no-query.ts';
import { VersionFilter } from '../schemas/version-query.ts';
import { versionSelection } from './common-access.ts';

export const showAttestation = {
  id: 'show-attestation',
  method: 'GET',
  path: '/api/v1/packages/{name}/attestation',
  summary: 'Show the signed statement of the decision on a package version',
  access: {
    packages: versionSelection,
    reviews: ['Query'],
    settings: ['signDecisions'],
  },
  query: VersionFilter,
  success: { status: 200, answer: 'Attestation' },
  errors: ['package_not_found', 'decision_not_found', 'not_signed_yet', 'signing_disabled'],
} as const satisfies Route;

export const showKeys = {
  id: 'show-keys',
  method: 'GET',
  path: '/keys',
  summary: 'Show the public key of signed decisions',
  access: { settings: ['signDecisions'] },
  accessWith: { signDecisions: { signingKey: ['GetPublicKey'] } },
  query: NoQuery,
  success: { status: 200, answer: 'KeySet', header: 'Cache-Control' },
  errors: ['keys_unavailable'],
} as const satisfies Route;
